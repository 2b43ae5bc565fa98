/**
 * A value of an attribute as a reader may see it: `text` is cut; `later`: known only after the apply; of a list, a map and a
 * JSON document (`document`) only the number of members is told. Sensitive values are not here at all.
 */
export type AttributeValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list" | "map" | "document"; readonly count: number }
  | { readonly kind: "none" | "later" | "sensitive" };

/** One value that changes, by the path of its attribute. */
export interface AttributeChange {
  readonly name: string;
  readonly before: AttributeValue;
  readonly after: AttributeValue;
}
