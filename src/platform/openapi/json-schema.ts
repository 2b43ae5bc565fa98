import { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import { findVocabulary, findWriteMark } from "../contract/wire/schema-parts.ts";
import { DIALECTS, type DialectName, toDialectName, translateWord } from "../contract/wire/translate.ts";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
export type JsonSchema = { [name: string]: JsonValue };

/**
 * The direction of a shape: a caller's request, or a server's answer. Answers are described as servers write
 * them, and may have further members.
 */
type ShapeUse = "request" | "answer";

/** A shape and the named shapes that it refers to as `#/$defs/<name>`. */
export interface SchemaWithDefinitions {
  readonly schema: JsonSchema;
  readonly named: Readonly<Record<string, JsonSchema>>;
}

/**
 * Describes the wire form of a schema as JSON Schema 2020-12. It is always the schema's input, because an answer's schema
 * transforms what was written (text into decimals, absent into null).
 */
export function describeWire(schema: z.ZodType, use: ShapeUse, dialect: DialectName): SchemaWithDefinitions {
  const made = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // zod's type for JSON Schema is wider than plain JSON, but the created value is JSON.
      tidy(zodSchema, jsonSchema as JsonSchema);
      if (use === "answer") tightenSchema(zodSchema, jsonSchema as JsonSchema);
      useDialectWords(dialect, zodSchema, jsonSchema as JsonSchema);
    },
  });
  const { $schema: _, $defs = {}, ...rest } = made as JsonSchema & { $defs?: Record<string, JsonSchema> };
  return { schema: rest, named: removeIds($defs) };
}

const removeIds = (named: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(named).map(([name, { id: _, ...rest }]) => [name, rest]));

/** Removes redundant keywords, and adds the default that zod omits above a `preprocess`. */
function tidy(zodSchema: z.core.$ZodTypes, json: JsonSchema): void {
  if (json["minimum"] === Number.MIN_SAFE_INTEGER) delete json["minimum"];
  if (json["maximum"] === Number.MAX_SAFE_INTEGER) delete json["maximum"];
  if (json["format"] !== undefined && /^date/.test(`${json["format"]}`)) delete json["pattern"];
  if (isJsonOf(json["propertyNames"], '{"type":"string"}')) delete json["propertyNames"];
  const { def } = zodSchema._zod;
  if (def.type === "default") json["default"] = JSON.parse(JSON.stringify(def.defaultValue));
}

const isJsonOf = (value: JsonValue | undefined, text: string): boolean => JSON.stringify(value) === text;

/** Makes members required and not null where a server always writes them, although the schema reads leniently. */
function tightenSchema(zodSchema: z.core.$ZodTypes, json: JsonSchema): void {
  const writeMark = findWriteMark(zodSchema);
  if (writeMark !== undefined && !writeMark.nullable()) dropNull(json);
  const { def } = zodSchema._zod;
  if (def.type !== "object") return;
  const always = Object.entries(def.shape).filter(([, member]) => findWriteMark(member) !== undefined);
  const required = new Set([
    ...((json["required"] as readonly string[] | undefined) ?? []), // zod writes a list of names
    ...always.map(([name]) => name),
  ]);
  if (required.size > 0) json["required"] = Object.keys(def.shape).filter((name) => required.has(name));
}

function dropNull(json: JsonSchema): void {
  const { type, anyOf } = json;
  if (Array.isArray(type)) {
    const left = type.filter((one) => one !== "null");
    json["type"] = left.length === 1 ? (left[0] ?? null) : left;
  }
  if (!Array.isArray(anyOf)) return;
  const left = anyOf.filter((one) => !isJsonOf(one, '{"type":"null"}'));
  if (left.length !== 1) json["anyOf"] = left;
  else {
    delete json["anyOf"];
    Object.assign(json, { ...(left[0] as JsonSchema), ...json }); // a member of anyOf is a schema
  }
}

/** Translates names and values to the dialect. */
function useDialectWords(dialect: DialectName, zodSchema: z.core.$ZodTypes, json: JsonSchema): void {
  const vocabulary = findVocabulary(zodSchema);
  for (const list of ["enum", "examples"]) {
    const values = json[list];
    if (vocabulary !== undefined && Array.isArray(values))
      json[list] = values.map((value) => translateWord(vocabulary, `${value}`, dialect));
  }
  if (zodSchema._zod.def.type !== "object") return;
  const name = (member: string) => toDialectName(member, DIALECTS[dialect]);
  const { properties, required } = json as { properties?: JsonSchema; required?: readonly string[] }; // JSON Schema of an object
  if (properties !== undefined)
    json["properties"] = Object.fromEntries(Object.entries(properties).map(([key, of]) => [name(key), of]));
  if (required !== undefined) json["required"] = required.map(name);
}

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
