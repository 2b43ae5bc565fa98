import type { JsonSchema, JsonValue } from "../../platform/openapi/json-schema.ts";

/** The shape of one value of a parameter that may be repeated; parameters are no tuples. */
export const getItemShape = (shape: JsonSchema): JsonSchema =>
  shape["type"] === "array" ? ((shape["items"] ?? {}) as JsonSchema) : shape;

/** The values that are allowed; null: any. Of a switch, `true` is meant when none is given. */
export function listChoices(shape: JsonSchema): readonly string[] | null {
  const item = getItemShape(shape);
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
export function formatLimits(shape: JsonSchema, list: ListWords = PARAMETER): string {
  const isList = shape["type"] === "array";
  const item = getItemShape(shape);
  const parts = [
    describeRange(item, "minimum", "maximum"),
    withUnit(describeRange(item, "minLength", "maxLength"), "characters"),
    describeExamples(item),
    isList ? list.kind : "",
    isList ? withUnit(describeRange(shape, "minItems", "maxItems"), list.unit) : "",
    shape["default"] === undefined ? "" : `default ${formatExample(shape["default"])}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `(${parts.join("; ")})`;
}

function describeRange(shape: JsonSchema, least: string, most: string): string {
  const [from, to] = [shape[least], shape[most]];
  if (from === undefined && to === undefined) return "";
  if (to === undefined) return from === 0 ? "" : `at least ${from}`;
  return from === undefined ? `at most ${to}` : `${from} to ${to}`;
}

const withUnit = (range: string, unit: string): string => (range === "" ? "" : `${range} ${unit}`);

function describeExamples({ examples }: JsonSchema): string {
  return Array.isArray(examples) ? `e.g. ${examples.map(formatExample).join(", ")}` : "";
}

const formatExample = (value: JsonValue): string =>
  value === "" ? "empty" : typeof value === "string" ? value : JSON.stringify(value);
