import { Command, type CommandUnknownOpts, Option, type OptionValues } from "@commander-js/extra-typings";
import { parse as parseYaml, YAMLParseError } from "yaml";
import { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import { parseJson } from "../../kernel/parse-json.ts";
import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { toOneLine } from "../../kernel/terminal-text.ts";
import { APIS, type Endpoint, type LooseInput, listErrorStatuses } from "../../platform/contract/endpoint.ts";
import { nothing } from "../../platform/contract/shapes/fields.ts";
import { getAtPath } from "../../platform/contract/shapes/pagination.ts";
import { getEndpointPath } from "../../platform/contract/wire/codec.ts";
import {
  checkBody,
  checkPart,
  explain,
  type FieldError,
} from "../../platform/contract/wire/request-checks.ts";
import { translate } from "../../platform/contract/wire/translate.ts";
import { describeWire, type JsonSchema } from "../../platform/openapi/json-schema.ts";
import { readClientSettings } from "../../settings/ci.ts";
import { readEnvironment } from "../../settings/read.ts";
import type { ApiFailure, ApiPlatform, OpenApiPlatform } from "../../wiring/platform/api.ts";
import { type ExitCode, type Output, usageError } from "../command.ts";
import { definitions } from "../help-text.ts";
import { inputFile } from "../input-file.ts";
import { resolveAddress } from "../platform-address.ts";
import { type Flag, formatLimits, IN_BODY, listFlags } from "./flags.ts";
import { printForPeople } from "./table.ts";

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

interface OperationOptions extends OptionValues {
  readonly json?: true | undefined;
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly account?: string | undefined;
  readonly dialect?: "neutral" | "live" | undefined;
}

/** Calls one operation as the options say, and prints its answer. Throws `usage` when they are wrong. */
async function runOperation(
  endpoint: Endpoint,
  options: OperationOptions,
  open: OpenApiPlatform,
  output: Output,
): Promise<ExitCode> {
  const { url = null, token = null } = resolveAddress(options, readClientSettings(readEnvironment()));
  const { account = null, dialect = null } = options;
  const input = await readInput(endpoint, listFlags(endpoint), options);
  const platform = await open({ url, token, account, dialect });
  try {
    const call: OperationCall = { endpoint, input, platform, json: options.json === true };
    return options["all"] === true ? await callAll(call, output) : await callOnce(call, output);
  } finally {
    await platform.close();
  }
}

interface OperationCall {
  readonly endpoint: Endpoint;
  readonly input: LooseInput;
  readonly platform: ApiPlatform;
  readonly json: boolean;
}

async function callOnce(
  { endpoint, input, platform, json }: OperationCall,
  output: Output,
): Promise<ExitCode> {
  const outcome = await platform.call(asSent(endpoint), input);
  if (!outcome.ok) return printFailure(endpoint, outcome.failure, output);
  const { value, headers } = outcome;
  noteSurprises(endpoint, value, output);
  if (json) printJson(value, output);
  else printForPeople(selectContent(endpoint, value), output);
  const count = getItems(endpoint, value)?.length ?? 0;
  const total = getTotal(endpoint, value, headers);
  if (total !== null && total > count) output.message(`${count} of ${total} items; --all reads all pages`);
  return 0;
}

async function callAll(
  { endpoint, input, platform, json }: OperationCall,
  output: Output,
): Promise<ExitCode> {
  const { pagination } = endpoint;
  // `--all` is an option of lists only
  if (pagination === undefined) throw new TollgateError("internal", `${endpoint.operation} is no list`);
  const list = json ? jsonList(output) : tableList(output);
  for await (const item of platform.items({ ...asSent(endpoint), pagination }, input)) {
    if (item.ok) {
      list.add(item.value);
      continue;
    }
    if (list.count() > 0)
      output.message(
        `the list is not complete: it ended after ${list.count()} ${list.count() === 1 ? "item" : "items"}`,
      );
    return printFailure(endpoint, item.failure, output);
  }
  list.end();
  return 0;
}

/** Takes the items of a list one after the other. */
interface GrowingList {
  add(item: unknown): void;
  count(): number;
  end(): void;
}

/**
 * Items leave one by one, so that a list of any length takes little memory. When a page fails the list is not closed: a
 * program does not take half of it for the whole.
 */
function jsonList(output: Output): GrowingList {
  let count = 0;
  return {
    add: (item) => {
      output.result(`${count === 0 ? "[" : ","}${JSON.stringify(item)}`);
      count += 1;
    },
    count: () => count,
    end: () => output.result(count === 0 ? "[]" : "]"),
  };
}

/** A table's columns are as wide as its widest cells, so it is drawn at the end. */
function tableList(output: Output): GrowingList {
  const items: unknown[] = [];
  return {
    add: (item) => items.push(item),
    count: () => items.length,
    end: () => printForPeople(items, output),
  };
}

/** Prints why a call had no answer, and the way out. */
function printFailure(endpoint: Endpoint, failure: ApiFailure, output: Output): ExitCode {
  const { message, code, correlationId } = failure;
  const names = [code === null ? "" : `code ${code}`, correlationId === null ? "" : `call ${correlationId}`];
  const known = names.filter((name) => name !== "").join(", ");
  output.message(known === "" ? message : `${message} (${known})`);
  output.message(wayOut(endpoint, failure));
  return getFailureExitCode(failure);
}

/** 1: the platform refused; 2: the call was not made, because it breaks the contract; 3: there was no usable answer. */
function getFailureExitCode({ kind, status }: ApiFailure): ExitCode {
  if (kind === "rejected") return status === null ? 2 : 1;
  return kind === "unauthorised" || kind === "forbidden" || kind === "not_found" ? 1 : 3;
}

function wayOut({ area, operation }: Endpoint, { kind, retryAfterMs }: ApiFailure): string {
  if (kind === "rate_limited" && retryAfterMs !== null)
    return `Wait ${Math.ceil(retryAfterMs / 1000)} s and run it again.`;
  return WAYS_OUT[kind](`tollgate api ${area} ${operation}`);
}

const WAYS_OUT: Readonly<Record<ApiFailure["kind"], (command: string) => string>> = {
  not_found: () => "Check the ids; what belongs to another account is not found either.",
  unauthorised: () =>
    "Set TOLLGATE_TOKEN to a token that is valid there: `tollgate token create --for api` makes one for the embedded platform.",
  forbidden: () => "Check --account, org and project; a token for one project opens no other.",
  rate_limited: () => "Wait a minute and run it again.",
  unavailable: () => "Run it again later; if it stays so, check that the platform runs at this address.",
  timed_out: () =>
    "Run it again later; a write may have succeeded nevertheless, so check before you repeat it.",
  malformed: () => "Check the address, the prefix (PLATFORM_PREFIX) and the dialect (--dialect).",
  too_large: () => "Ask for fewer items at once.",
  rejected: (command) => `Run \`${command} --help\` for what it takes.`,
};

/**
 * The same operation with its answer as it was sent: programs need what the platform wrote, in the contract's names. The second option of the union is only there for the names; the first one takes everything.
 */
const asSent = (endpoint: Endpoint): Endpoint =>
  endpoint.response === "empty"
    ? endpoint
    : { ...endpoint, response: z.union([z.unknown(), endpoint.response]) };

/** Writes a note when an answer contradicts the contract. The answer is still shown. */
function noteSurprises({ response }: Endpoint, value: unknown, output: Output): void {
  if (response === "empty") return;
  const read = response.safeParse(value, PARSE_OPTIONS);
  if (read.success) return;
  const problems = explain("answer", read.error).slice(0, 3).map(toOneLine);
  output.message(`note: the answer is not what the contract says: ${problems.join("; ")}`);
}

function printJson(value: unknown, output: Output): void {
  output.result(JSON.stringify(value ?? null, null, 2));
}

/** The answer without what every answer of its service is wrapped in, and a list without its counts. */
function selectContent(endpoint: Endpoint, value: unknown): unknown {
  const items = getItems(endpoint, value);
  if (items !== null) return items;
  const isWrapped = ["cost", "registry"].includes(APIS[endpoint.api].envelope);
  if (!isWrapped) return value;
  const data = getAtPath(value, ["data"]);
  if (data === undefined) return value;
  return isEmptyAnswer(endpoint) ? undefined : data;
}

/** Whether there is never anything in the wrapping. */
const isEmptyAnswer = ({ response }: Endpoint): boolean =>
  response instanceof z.ZodObject && response.shape["data"] === nothing;

/** The list in an answer that comes in pages; null in others. */
function getItems({ pagination }: Endpoint, value: unknown): readonly unknown[] | null {
  const found = pagination === undefined ? null : getAtPath(value, pagination.items);
  return Array.isArray(found) ? found : null;
}

/** How many items there are in all, as an answer says; null when it does not. */
function getTotal(
  { pagination }: Endpoint,
  value: unknown,
  headers: Readonly<Record<string, string>>,
): number | null {
  const place = pagination?.total;
  if (place === undefined) return null;
  const found =
    place.in === "body"
      ? getAtPath(value, place.path)
      : place.names.map((name) => headers[name]).find((text) => text !== undefined);
  const total = Number(found ?? Number.NaN);
  return Number.isSafeInteger(total) ? total : null;
}

/** Reads the request that the options name. Throws `usage` with everything that is missing or breaks the contract. */
export async function readInput(
  endpoint: Endpoint,
  flags: readonly Flag[],
  optionValues: OptionValues,
): Promise<LooseInput> {
  const parts = {
    params: readPart("params", flags, optionValues),
    query: readPart("query", flags, optionValues),
    headers: readPart("headers", flags, optionValues),
  };
  const problems = [...missing(endpoint, flags, optionValues), ...wrongValues(endpoint, flags, parts)];
  if (problems.length > 0) throw createInputError(problems);
  const { body: file } = optionValues;
  if (typeof file !== "string") return isEmptyBodyEnough(endpoint) ? { ...parts, body: {} } : parts;
  const body = await readBody(endpoint, file);
  const wrong = checkBody(endpoint, inNeutralWords(endpoint, body));
  if (wrong.length > 0) throw createInputError(wrong.map((one) => `${getInputName(file)}: ${inWords(one)}`));
  return { ...parts, body };
}

type ParameterValues = Readonly<Record<string, unknown>>;

function readPart(part: Flag["part"], flags: readonly Flag[], optionValues: OptionValues): ParameterValues {
  return Object.fromEntries(
    flags.flatMap((flag) => {
      const value = optionValues[flag.option.attributeName()];
      if (flag.part !== part || value === undefined) return [];
      const read = (text: unknown) => readValue(flag, `${text}`);
      return [[flag.member, Array.isArray(value) ? value.map(read) : read(value)]];
    }),
  );
}

/** What is no number stays a text, which the contract then refuses in its own words. */
function readValue({ kind }: Flag, text: string): unknown {
  if (kind === "number" && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return kind === "boolean" ? text === "true" : text;
}

function missing(endpoint: Endpoint, flags: readonly Flag[], optionValues: OptionValues): readonly string[] {
  const options = flags
    .filter(({ option, required }) => required && optionValues[option.attributeName()] === undefined)
    .map(({ option, limits }) => `${option.flags} is missing. ${limits}`.trimEnd());
  if (!needsBody(endpoint) || optionValues["body"] !== undefined) return options;
  return [...options, "--body <FILE> is missing: this operation takes a body; - reads the standard input."];
}

/** Whether an operation does not work without members in its body. */
const needsBody = (endpoint: Endpoint): boolean => takesBody(endpoint) && !isEmptyBodyEnough(endpoint);

const takesBody = ({ body }: Endpoint): boolean =>
  body === "bytes" || (body !== undefined && !body.safeParse(undefined).success);

/** Whether an operation takes a body whose members are all optional. An update without any is a mistake. */
const isEmptyBodyEnough = (endpoint: Endpoint): boolean =>
  takesBody(endpoint) &&
  endpoint.method === "POST" &&
  endpoint.body !== "bytes" &&
  endpoint.body?.safeParse({}).success === true;

function wrongValues(
  endpoint: Endpoint,
  flags: readonly Flag[],
  parts: Readonly<Record<Flag["part"], ParameterValues>>,
): readonly string[] {
  return Object.entries(parts).flatMap(([part, values]) => {
    const schema = endpoint[part as Flag["part"]]; // the keys are those of the record
    if (schema === undefined) return [];
    return checkPart(part, schema, translate(schema, values, "neutral")).flatMap(({ field, error }) => {
      const flag = flags.find((one) => one.part === part && one.member === field.split(".")[0]);
      if (flag === undefined) return [error];
      const value = values[flag.member];
      return value === undefined
        ? []
        : [`${flag.option.long} ${JSON.stringify(value)}: ${error} ${flag.limits}`.trimEnd()];
    });
  });
}

async function readBody({ body }: Endpoint, file: string): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  for await (const piece of inputFile(file).bytes) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  return body === "bytes" ? new Uint8Array(bytes) : parseBody(file, bytes);
}

/** JSON is tried first: it is stricter, and exact about what is a text. */
function parseBody(file: string, bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return parseJson(text) ?? parseYaml(text);
  } catch (error) {
    const why = error instanceof YAMLParseError ? error.message.split("\n")[0] : "it is not UTF-8";
    throw new TollgateError("file_not_recognised", `${getInputName(file)} is neither JSON nor YAML: ${why}`, {
      cause: error,
    });
  }
}

const inNeutralWords = ({ body: schema }: Endpoint, body: unknown): unknown =>
  schema === undefined || schema === "bytes" ? body : translate(schema, body, "neutral");

const getInputName = (file: string): string => (file === "-" ? "standard input" : file);

const inWords = ({ field, error }: FieldError): string => (field === "" ? error : `${field}: ${error}`);

function createInputError(problems: readonly string[]): TollgateError {
  const [only = ""] = problems;
  return usageError(
    problems.length === 1 ? only : `the call would break the contract:\n  ${problems.join("\n  ")}`,
  );
}
