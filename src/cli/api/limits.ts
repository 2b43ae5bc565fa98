import type { JsonSchema, JsonValue } from "../../platform/openapi/json-schema.ts";

/** The shape of one value of a parameter that may be repeated; parameters are no tuples. */
export const itemOf = (shape: JsonSchema): JsonSchema =>
  shape["type"] === "array" ? ((shape["items"] ?? {}) as JsonSchema) : shape;

/** The values that are allowed; null: any. Of a switch, `true` is meant when none is given. */
export function choicesOf(shape: JsonSchema): readonly string[] | null {
  const item = itemOf(shape);
  if (item["type"] === "boolean") return ["true", "false"];
  const { enum: values } = item;
  return Array.isArray(values) ? values.map((value) => `${value}`) : null;
}

/** How a list is spoken of: as a parameter it is one that may be repeated, in a body it is a list. */
interface ListWords {
  readonly kind: string;
  readonly unit: string;
}
const PARAMETER: ListWords = { kind: "may be repeated", unit: "times" };
export const IN_BODY: ListWords = { kind: "list", unit: "items" };

/** What a value may be, in words: `(1 to 100; default 25)`; empty when there is nothing to say. */
export function limitsOf(shape: JsonSchema, list: ListWords = PARAMETER): string {
  const isList = shape["type"] === "array";
  const item = itemOf(shape);
  const parts = [
    rangeOf(item, "minimum", "maximum"),
    withUnit(rangeOf(item, "minLength", "maxLength"), "characters"),
    examplesOf(item),
    isList ? list.kind : "",
    isList ? withUnit(rangeOf(shape, "minItems", "maxItems"), list.unit) : "",
    shape["default"] === undefined ? "" : `default ${shown(shape["default"])}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `(${parts.join("; ")})`;
}

function rangeOf(shape: JsonSchema, least: string, most: string): string {
  const [from, to] = [shape[least], shape[most]];
  if (from === undefined && to === undefined) return "";
  if (to === undefined) return from === 0 ? "" : `at least ${from}`;
  return from === undefined ? `at most ${to}` : `${from} to ${to}`;
}

const withUnit = (range: string, unit: string): string => (range === "" ? "" : `${range} ${unit}`);

function examplesOf({ examples }: JsonSchema): string {
  return Array.isArray(examples) ? `e.g. ${examples.map(shown).join(", ")}` : "";
}

const shown = (value: JsonValue): string =>
  value === "" ? "empty" : typeof value === "string" ? value : JSON.stringify(value);
