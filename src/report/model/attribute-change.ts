/**
 * A value of an attribute as a reader may see it: `text` is truncated; `later`: known only after the apply; a list, a map and a
 * JSON document (`document`) give only their number of members. Sensitive values are never included.
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
