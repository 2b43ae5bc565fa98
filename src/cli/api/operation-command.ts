import { Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { type Endpoint, listErrorStatuses } from "../../platform/contract/endpoint.ts";
import { getEndpointPath } from "../../platform/contract/wire/address.ts";
import { describeWire, type JsonSchema } from "../../platform/openapi/json-schema.ts";
import type { OpenApiPlatform } from "../../wiring/platform/api.ts";
import type { Output } from "../command.ts";
import { definitions } from "../help-text.ts";
import { listFlags } from "./flags.ts";
import { needsBody } from "./input.ts";
import { formatLimits, IN_BODY } from "./limits.ts";
import { runOperation } from "./run-operation.ts";

/** The command of one operation: an option for each parameter, and those that every operation has. */
export function createOperationCommand(
  endpoint: Endpoint,
  open: OpenApiPlatform,
  output: Output,
): CommandUnknownOpts {
  const { operation, summary, description = "", body, pagination } = endpoint;
  const flags = listFlags(endpoint);
  const required = flags.filter((flag) => flag.required).map(({ option }) => option.flags);
  const command = new Command(operation)
    .description(`${summary}.\n\n${description}`.trimEnd())
    .usage([...required, ...(needsBody(endpoint) ? ["--body <FILE>"] : []), "[options]"].join(" "));
  for (const { option } of flags) command.addOption(option);
  if (body !== undefined)
    command.option(
      "--body <FILE>",
      `the body; - reads the standard input${needsBody(endpoint) ? "" : "; without it an empty one is sent"}`,
    );
  if (pagination !== undefined)
    command.option("--all", "read all pages; with --json as one list, an item a line");
  return command
    .option("--json", "print the answer as JSON, as it was sent")
    .option("--url <URL>", "address of a platform (default: TOLLGATE_URL)")
    .option("--token <TOKEN>", "its token; prefer TOLLGATE_TOKEN, which no process list shows")
    .option("--account <ACCOUNT>", "account that the call is for")
    .addOption(
      new Option("--dialect <DIALECT>", "the platform's names (default at --url: neutral)").choices([
        "neutral",
        "live",
      ] as const),
    )
    .addHelpText("after", `${bodyHelp(endpoint)}\n${describeOrigin(endpoint)}`)
    .action(async (options) => output.exit(await runOperation(endpoint, options, open, output)));
}

function describeOrigin(endpoint: Endpoint): string {
  const { method, status, extra, source } = endpoint;
  const origin = extra === true ? "Tollgate's own operation" : "Described in the platform's documents";
  return `${method} ${getEndpointPath(endpoint)}\nAnswers ${status}; errors ${listErrorStatuses(endpoint).join(", ")}. ${origin}: ${source}.`;
}

/** The body's own members; docs/openapi.json also has those of its members. */
function bodyHelp({ body }: Endpoint): string {
  if (body === undefined) return "";
  if (body === "bytes") return "\nBody: octets, sent as they are.\n";
  const { schema, named } = describeWire(body, "request", "neutral");
  const shape = named[`${schema["$ref"]}`.replace("#/$defs/", "")] ?? schema;
  const { properties = {}, required = [] } = shape as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  }; // JSON Schema, of an object or of something else
  const rows = Object.entries(properties).map(([name, of]): [string, string] => [
    name,
    [
      required.includes(name) ? "required." : "",
      of["description"] ?? "",
      formatLimits(stated(of), IN_BODY) || formatType(stated(of)),
    ]
      .filter((part) => part !== "")
      .join(" "),
  ]);
  return `\nBody (JSON or YAML; docs/openapi.json has every member):\n${definitions(rows)}\n`;
}

/** Of a shape that may also be null, the rest. */
const stated = (shape: JsonSchema): JsonSchema =>
  Array.isArray(shape["anyOf"])
    ? ((shape["anyOf"].find((one) => (one as JsonSchema)["type"] !== "null") ?? shape) as JsonSchema) // members are schemas
    : shape;

const formatType = ({ type }: JsonSchema): string =>
  type === undefined ? "" : `(${[type].flat().join(" or ")})`;
