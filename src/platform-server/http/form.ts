import { parseJson } from "../../kernel/parse-json.ts";
import { unwrapSchema, type ZodSchema } from "../../platform/contract/wire/schema-parts.ts";
import { listMemberNames } from "../../platform/contract/wire/translate.ts";

type Fields = readonly [string, string][];

/** Name of the field that holds a list which is a whole body. */
const ITEMS = "items";

/**
 * Converts a value to flat form fields: texts unchanged, numbers and booleans as text, a list as one field
 * per element, and objects as JSON. Null has no field. A top-level list is the field `items`.
 */
export function formatForm(value: unknown): Fields {
  const members =
    typeof value === "object" && value !== null && !Array.isArray(value) ? value : { [ITEMS]: value };
  return Object.entries(members).flatMap(([name, member]) =>
    toElements(member)
      .filter((one) => one !== null && one !== undefined)
      .map((one) => [name, typeof one === "string" ? one : JSON.stringify(one)]),
  );
}

/** What gets a field each. A list is JSON in one field where its fields would not say which list it is: none, or one that looks like JSON. */
function toElements(member: unknown): readonly unknown[] {
  if (!Array.isArray(member)) return [member];
  const [first] = member;
  const isUnclear = member.length === 0 || (member.length === 1 && isList(first));
  return isUnclear ? [JSON.stringify(member)] : member;
}

const isList = (text: unknown): boolean =>
  Array.isArray(text) || (typeof text === "string" && text.startsWith("["));

/**
 * Converts form fields to a schema's value: the inverse of `formatForm`. A value that does not fit stays text,
 * which the schema then refuses.
 */
export function readForm(schema: ZodSchema, fields: Fields): unknown {
  const texts = Map.groupBy(fields, ([name]) => name);
  const { type, shape = {} } = unwrapSchema(schema);
  if (type === "array" && texts.size <= 1) {
    const found = (texts.get(ITEMS) ?? []).map(([, text]) => text);
    if (texts.size === 0 || found.length > 0) return parseMember(schema, found);
  }
  const members = new Map(
    Object.entries(shape).flatMap(([name, member]) =>
      listMemberNames(name).map((spelling) => [spelling, member]),
    ),
  );
  return Object.fromEntries(
    [...texts].map(([name, pairs]) => {
      const found = pairs.map(([, text]) => text);
      const member = members.get(name);
      return [name, member === undefined ? pickSingle(found) : parseMember(member, found)];
    }),
  );
}

const pickSingle = (found: readonly unknown[]): unknown => (found.length === 1 ? found[0] : found);

function parseMember(schema: ZodSchema, texts: readonly string[]): unknown {
  const { type, element } = unwrapSchema(schema);
  if (type !== "array" || element === undefined)
    return pickSingle(texts.map((text) => parseScalar(schema, text)));
  const [first = ""] = texts;
  const whole = texts.length === 1 && first.startsWith("[") ? parseJson(first) : undefined;
  return Array.isArray(whole) ? whole : texts.map((text) => parseScalar(element, text));
}

const NUMBER = /^-?\d{1,17}(\.\d{1,24})?(e[+-]?\d{1,3})?$/i;

function parseScalar(schema: ZodSchema, text: string): unknown {
  const { type } = unwrapSchema(schema);
  if (type === "number") return NUMBER.test(text) ? Number(text) : text;
  if (type === "boolean") return text === "true" || (text === "false" ? false : text);
  return type === "object" || type === "record" || type === "array" ? (parseJson(text) ?? text) : text;
}
