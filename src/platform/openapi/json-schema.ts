import { z } from "zod";
import { DIALECTS, type DialectName } from "../contract/wire/dialect.ts";
import { findVocabulary, findWriteMark } from "../contract/wire/schema-marks.ts";
import { toDialectName, translateWord } from "../contract/wire/translate.ts";

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
export type ShapeUse = "request" | "answer";

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
