import type { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import type { DialectName } from "../contract/wire/dialect.ts";
import { describeWire, type JsonSchema, type JsonValue, type ShapeUse } from "./json-schema.ts";

const AT = "#/components/schemas/";

/**
 * Collects the named shapes of a document. During the collection each name includes its use
 * (`answer:Execution`), because a shape may accept on read what is never written; `finish` merges names whose
 * shapes are equal.
 */
export class NamedShapes {
  readonly #shapes = new Map<string, JsonSchema>();
  readonly #dialect: DialectName;

  constructor(dialect: DialectName) {
    this.#dialect = dialect;
  }

  /** Returns the shape for the document; its references are `#/components/schemas/<use>:<name>` until `finish`. */
  describe(schema: z.ZodType, use: ShapeUse): JsonSchema {
    const { schema: made, named } = describeWire(schema, use, this.#dialect);
    const withUse = (shape: JsonSchema) =>
      rewriteReferences(shape, (ref) => ref.replace(/^#\/\$defs\//, `${AT}${use}:`));
    for (const [name, shape] of Object.entries(named)) {
      const key = `${use}:${name}`;
      const known = this.#shapes.get(key);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(withUse(shape)))
        throw new TollgateError("internal", `two different shapes of the contract are called ${key}`);
      this.#shapes.set(key, withUse(shape));
    }
    return withUse(made);
  }

  /** Returns the document with final names, and the shapes by name in alphabetical order. */
  finish<T extends JsonValue>(document: T): { document: T; schemas: Record<string, JsonSchema> } {
    const rename = <V extends JsonValue>(value: V) =>
      rewriteReferences(value, (ref) =>
        ref.startsWith(AT) ? AT + this.#chooseName(ref.slice(AT.length)) : ref,
      );
    const schemas = [...this.#shapes].map(([key, shape]) => [this.#chooseName(key), rename(shape)] as const);
    schemas.sort(([a], [b]) => (a < b ? -1 : 1));
    return { document: rename(document), schemas: Object.fromEntries(schemas) };
  }

  /** `X` for `answer:X`, and for `request:X` unless a different answer has that name: then `XRequest`. */
  #chooseName(key: string): string {
    const [use = "", name = ""] = key.split(":");
    if (use === "answer" || !this.#shapes.has(`answer:${name}`)) return name;
    return this.#expand(`answer:${name}`) === this.#expand(key) ? name : `${name}Request`;
  }

  /** A shape as text, with the shapes that it refers to in place of their names. */
  #expand(key: string): string {
    return JSON.stringify(this.#shapes.get(key)).replace(
      /"#\/components\/schemas\/([^"]+:[^"]+)"/g,
      (_, inner: string) => this.#expand(inner),
    );
  }
}

/** Returns a copy with every `$ref` replaced. */
function rewriteReferences<T extends JsonValue>(value: T, change: (ref: string) => string): T {
  const text = JSON.stringify(value, (key, member: unknown) =>
    key === "$ref" && typeof member === "string" ? change(member) : member,
  );
  return JSON.parse(text) as T; // the same value but for the texts of its references
}
