import type { OptionValues } from "@commander-js/extra-typings";
import { parse as parseYaml, YAMLParseError } from "yaml";
import { TollgateError } from "../../kernel/errors.ts";
import type { Endpoint, LooseInput } from "../../platform/contract/endpoint.ts";
import { checkBody, checkPart, type FieldError } from "../../platform/contract/wire/request-checks.ts";
import { translate } from "../../platform/contract/wire/translate.ts";
import { usageError } from "../command.ts";
import { inputFile } from "../input-file.ts";
import type { Flag } from "./flags.ts";

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
export const needsBody = (endpoint: Endpoint): boolean => takesBody(endpoint) && !isEmptyBodyEnough(endpoint);

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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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
