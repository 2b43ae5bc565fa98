import { type Endpoint, errorStatuses } from "../../platform/contract/endpoint.ts";
import { addressOf } from "../../platform/contract/wire/address.ts";
import { describeWire, type JsonSchema } from "../../platform/openapi/json-schema.ts";
import type { OptionSpec } from "../command.ts";
import { about, flag as flagText } from "../help.ts";
import { areaNames, endpointsOf } from "./catalogue.ts";
import type { Flag } from "./flags.ts";
import { needsBody } from "./input.ts";
import { IN_BODY, limitsOf } from "./limits.ts";
import { definitions, wrapped } from "./text/paragraphs.ts";

/** The help of `tollgate api`. */
export const apiHelp = (options: OptionSpecs): string =>
  [
    "tollgate api: call any operation of the platform.",
    "",
    "Usage: tollgate api AREA OPERATION [OPTIONS]",
    "       tollgate api AREA",
    "       tollgate api --list [--json]",
    "",
    "Areas:",
    ...areaNames().map((area) => `  ${area} (${endpointsOf(area).length})`),
    "",
    "Options of every operation:",
    ...optionLines(Object.entries(options)),
    "",
    ...wrapped(
      "Without --url it is the platform of the settings (PLATFORM_URL), else the embedded platform of this machine, running or not. " +
        "Exit codes: 0 answered, 1 the platform refused, 2 wrong usage, 3 no answer that could be used.",
    ),
  ].join("\n");

type OptionSpecs = Readonly<Record<string, OptionSpec>>;

const optionLines = (options: readonly (readonly [string, OptionSpec])[]): readonly string[] =>
  definitions(options.map(([name, spec]) => [flagText(name, spec), about(spec)]));

/** The help of one area: its operations. */
export const areaHelp = (area: string): string => {
  const all = endpointsOf(area);
  return [
    `tollgate api ${area}: its operations.`,
    "",
    ...definitions(all.map(({ operation, summary }) => [operation, summary])),
    "",
    `\`tollgate api ${area} OPERATION --help\` tells more about one of them.`,
  ].join("\n");
};

/** The help of one operation: what it takes, what it answers, where it is described. */
export function operationHelp(endpoint: Endpoint, flags: readonly Flag[], options: OptionSpecs): string {
  const { area, operation, method, summary, description, source, extra } = endpoint;
  const parameters = flags.map(({ name, spec, required }): [string, OptionSpec] => [
    name,
    required ? { ...spec, about: `required. ${spec.about}`.trimEnd() } : spec,
  ]);
  const origin = extra === true ? "Tollgate's own operation" : "Described in the platform's documents";
  return [
    `tollgate api ${area} ${operation}: ${summary}.`,
    "",
    `${method} ${addressOf(endpoint)}`,
    ...(description === undefined ? [] : ["", ...wrapped(description)]),
    "",
    `Usage: tollgate api ${area} ${operation} ${usageOf(endpoint, flags)}`,
    ...(parameters.length === 0 ? [] : ["", "Parameters:", ...optionLines(parameters)]),
    ...bodyLines(endpoint),
    "",
    "Options:",
    ...optionLines(Object.entries(options)),
    "",
    `Answers ${endpoint.status}; errors ${errorStatuses(endpoint).join(", ")}. ${origin}: ${source}.`,
  ].join("\n");
}

function usageOf(endpoint: Endpoint, flags: readonly Flag[]): string {
  const required = flags.filter((flag) => flag.required).map(({ name, spec }) => `--${name} ${spec.value}`);
  return [...required, ...(needsBody(endpoint) ? ["--body FILE"] : []), "[OPTIONS]"].join(" ");
}

/** The body's own members; what is inside them is in docs/openapi.json. */
function bodyLines({ body }: Endpoint): readonly string[] {
  if (body === undefined) return [];
  if (body === "bytes") return ["", "Body: octets, sent as they are."];
  const { schema, named } = describeWire(body, "request", "neutral");
  const shape = named[`${schema["$ref"]}`.replace("#/$defs/", "")] ?? schema;
  const { properties = {}, required = [] } = shape as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  }; // JSON Schema, of an object or of something else
  const lines = Object.entries(properties).map(([name, of]): [string, string] => [
    name,
    [
      required.includes(name) ? "required." : "",
      of["description"] ?? "",
      limitsOf(stated(of), IN_BODY) || typeOf(stated(of)),
    ]
      .filter((part) => part !== "")
      .join(" "),
  ]);
  return ["", "Body (JSON or YAML; docs/openapi.json has every member):", ...definitions(lines)];
}

/** Of a shape that may also be null, the rest. */
const stated = (shape: JsonSchema): JsonSchema =>
  Array.isArray(shape["anyOf"])
    ? ((shape["anyOf"].find((one) => (one as JsonSchema)["type"] !== "null") ?? shape) as JsonSchema) // members are schemas
    : shape;

const typeOf = ({ type }: JsonSchema): string =>
  type === undefined ? "" : `(${[type].flat().join(" or ")})`;
