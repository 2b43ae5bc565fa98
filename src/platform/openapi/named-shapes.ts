import type { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import type { DialectName } from "../contract/wire/dialect.ts";
import { describeWire, type JsonSchema, type JsonValue, type ShapeUse } from "./json-schema.ts";

type Shapes = Map<string, JsonSchema>;

/**
 * Collects the named shapes of a document. During the collection each name includes its use
 * (`answer:Execution`), because a shape may accept on read what is never written; `finish` merges names whose
 * shapes are equal.
 */
export class NamedShapes {
  readonly #shapes: Shapes = new Map();
  readonly #dialect: DialectName;

  constructor(dialect: DialectName) {
    this.#dialect = dialect;
  }

  /** Returns the shape for the document; its references are `#/components/schemas/<use>:<name>` until `finish`. */
  describe(schema: z.ZodType, use: ShapeUse): JsonSchema {
    const { schema: made, named } = describeWire(schema, use, this.#dialect);
    for (const [name, shape] of Object.entries(named)) this.#keep(`${use}:${name}`, withUse(shape, use));
    return withUse(made, use);
  }

  /** Returns the document with final names, and the shapes by name in alphabetical order. */
  finish<T extends JsonValue>(document: T): { document: T; schemas: Record<string, JsonSchema> } {
    const names = chooseFinalNames(this.#shapes);
    const schemas = [...this.#shapes].map(
      ([key, shape]) => [names.get(key) ?? key, renameReferences(shape, names)] as const,
    );
    schemas.sort(([a], [b]) => (a < b ? -1 : 1));
    return { document: renameReferences(document, names), schemas: Object.fromEntries(schemas) };
  }

  #keep(key: string, shape: JsonSchema): void {
    const known = this.#shapes.get(key);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(shape))
      throw new TollgateError("internal", `two different shapes of the contract are called ${key}`);
    this.#shapes.set(key, shape);
  }
}

const withUse = (shape: JsonSchema, use: ShapeUse): JsonSchema =>
  rewriteReferences(shape, (ref) => ref.replace(/^#\/\$defs\//, `${AT}${use}:`));

const renameReferences = <T extends JsonValue>(value: T, names: ReadonlyMap<string, string>): T =>
  rewriteReferences(value, (ref) => {
    const name = ref.startsWith(AT) ? names.get(ref.slice(AT.length)) : undefined;
    return name === undefined ? ref : AT + name;
  });

const AT = "#/components/schemas/";

/** Returns a copy with every `$ref` replaced. */
function rewriteReferences<T extends JsonValue>(value: T, change: (ref: string) => string): T {
  const text = JSON.stringify(value, (key, member: unknown) =>
    key === "$ref" && typeof member === "string" ? change(member) : member,
  );
  return JSON.parse(text) as T; // the same value but for the texts of its references
}

/** Maps `answer:X` to X. Maps `request:X` to X if no different answer has that name, else to XRequest. */
function chooseFinalNames(shapes: Shapes): ReadonlyMap<string, string> {
  const apart = new Set<string>();
  for (let before = -1; before !== apart.size; ) {
    before = apart.size;
    for (const name of requestNames(shapes)) if (isDifferentShape(shapes, name, apart)) apart.add(name);
  }
  const named = [...shapes.keys()].map((key) => {
    const [use = "", name = ""] = key.split(":");
    return [key, use === "request" && apart.has(name) ? `${name}Request` : name] as const;
  });
  return new Map(named);
}

const requestNames = (shapes: Shapes): readonly string[] =>
  [...shapes.keys()].filter((key) => key.startsWith("request:")).map((key) => key.slice("request:".length));

/** Returns whether two shapes of one name differ, directly or in a shape that they refer to. */
function isDifferentShape(shapes: Shapes, name: string, apart: ReadonlySet<string>): boolean {
  const answer = shapes.get(`answer:${name}`);
  if (answer === undefined) return false;
  const request = JSON.stringify(shapes.get(`request:${name}`));
  if (request.replaceAll(`${AT}request:`, `${AT}answer:`) !== JSON.stringify(answer)) return true;
  return [...apart].some((other) => request.includes(`"${AT}request:${other}"`));
}
