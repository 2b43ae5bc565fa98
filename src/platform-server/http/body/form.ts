import type { z } from "zod";

type Schema = z.core.$ZodType;
type Fields = readonly [string, string][];

/**
 * A value as flat form fields: texts as they are, numbers and truth values in words, a list as one field for each element,
 * and what has members as JSON. Null has no field. A list on its own is the field `items`.
 */
export function formOf(value: unknown): Fields {
  const members =
    typeof value === "object" && value !== null && !Array.isArray(value) ? value : { items: value };
  return Object.entries(members).flatMap(([name, member]) =>
    (Array.isArray(member) ? member : [member])
      .filter((one) => one !== null && one !== undefined)
      .map((one) => [name, typeof one === "string" ? one : JSON.stringify(one)]),
  );
}

/** Form fields as a schema's members: what `formOf` wrote, read back. What does not fit stays text, and the schema says so. */
export function readForm(schema: Schema, fields: Fields): unknown {
  const texts = Map.groupBy(fields, ([name]) => name);
  const { shape = {} } = coreOf(schema);
  return Object.fromEntries(
    [...texts].map(([name, pairs]) => {
      const found = pairs.map(([, text]) => text);
      const member = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, member === undefined ? single(found) : memberOf(member, found)];
    }),
  );
}

const single = (found: readonly unknown[]): unknown => (found.length === 1 ? found[0] : found);

function memberOf(schema: Schema, texts: readonly string[]): unknown {
  const { type, element } = coreOf(schema);
  if (type !== "array" || element === undefined) return single(texts.map((text) => scalarOf(schema, text)));
  const [first = ""] = texts;
  const whole = texts.length === 1 && first.startsWith("[") ? fromJson(first) : undefined;
  return Array.isArray(whole) ? whole : texts.map((text) => scalarOf(element, text));
}

const NUMBER = /^-?\d{1,17}(\.\d{1,17})?$/;

function scalarOf(schema: Schema, text: string): unknown {
  const { type } = coreOf(schema);
  if (type === "number") return NUMBER.test(text) ? Number(text) : text;
  if (type === "boolean") return text === "true" || (text === "false" ? false : text);
  return type === "object" || type === "record" || type === "array" ? (fromJson(text) ?? text) : text;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Core {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
}

/** A schema without its wrappers: what is optional, has a default, or is changed after it was read. */
function coreOf(schema: Schema): Core {
  const def = schema._zod.def as unknown as Core & { innerType?: Schema; in?: Schema; out?: Schema }; // members that any kind may have
  if (def.innerType !== undefined) return coreOf(def.innerType);
  if (def.in === undefined || def.out === undefined) return def;
  return coreOf(def.in).type === "transform" ? coreOf(def.out) : coreOf(def.in);
}
