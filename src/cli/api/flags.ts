import { Option } from "@commander-js/extra-typings";
import type { Endpoint } from "../../platform/contract/endpoint.ts";
import { DIALECTS, toDialectName } from "../../platform/contract/wire/translate.ts";
import { describeWire, type JsonSchema, type JsonValue } from "../../platform/openapi/json-schema.ts";

const PARTS = ["params", "query", "headers"] as const;
type PartName = (typeof PARTS)[number];

/** A parameter of an operation as an option of the command line. */
export interface Flag {
  /** Its name is the parameter's name in kebab-case. */
  readonly option: Option;
  readonly part: PartName;
  /** The parameter's own name. */
  readonly member: string;
  readonly required: boolean;
  readonly kind: "text" | "number" | "boolean";
  /** Type, limits and default in words. */
  readonly limits: string;
}

/** Every parameter of an operation, in the contract's order. */
export const listFlags = (endpoint: Endpoint): readonly Flag[] =>
  PARTS.flatMap((part) => {
    const schema = endpoint[part];
    if (schema === undefined) return [];
    const { properties = {}, required = [] } = describeWire(schema, "request", "neutral")
      .schema as ObjectShape;
    const other = describeWire(schema, "request", "live").schema as ObjectShape;
    return Object.entries(properties).map(([member, shape]) => {
      const inOtherWords = listChoices(other.properties?.[toDialectName(member, DIALECTS.live)] ?? {});
      return createFlag({ part, member, required: required.includes(member) }, shape, inOtherWords);
    });
  });

interface ObjectShape {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function createFlag(
  found: Pick<Flag, "part" | "member" | "required">,
  shape: JsonSchema,
  inOtherWords: readonly string[] | null,
): Flag {
  const name = toKebabCase(found.member);
  const kind = getFlagKind(getItemShape(shape));
  const own = listChoices(shape);
  const limits = formatLimits(shape);
  const about = [
    found.required ? "required." : "",
    shape["description"] ?? getItemShape(shape)["description"],
    limits,
  ];
  const option = new Option(
    `--${name} ${formatPlaceholder(name, kind, shape["type"] === "array")}`,
    about.filter((part) => part).join(" "),
  ).helpGroup("Parameters:");
  if (kind === "boolean") option.preset("true");
  if (own !== null) option.choices([...new Set([...own, ...(inOtherWords ?? [])])]);
  return { ...found, option, kind, limits };
}

function formatPlaceholder(name: string, kind: Flag["kind"], isRepeatable: boolean): string {
  if (kind === "boolean") return "[BOOLEAN]";
  return `<${kind === "number" ? "N" : lastWord(name)}${isRepeatable ? "..." : ""}>`;
}

function getFlagKind({ type }: JsonSchema): Flag["kind"] {
  if (type === "boolean") return "boolean";
  return type === "integer" || type === "number" ? "number" : "text";
}

/** `pipeline_execution_id` and `pipelineExecutionId` are both `pipeline-execution-id`. */
const toKebabCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();

const lastWord = (name: string): string => (name.split("-").at(-1) ?? name).toUpperCase();

/** The shape of one value of a parameter that may be repeated; parameters are no tuples. */
const getItemShape = (shape: JsonSchema): JsonSchema =>
  shape["type"] === "array" ? ((shape["items"] ?? {}) as JsonSchema) : shape;

/** The values that are allowed; null: any. Of a switch, `true` is meant when none is given. */
function listChoices(shape: JsonSchema): readonly string[] | null {
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
