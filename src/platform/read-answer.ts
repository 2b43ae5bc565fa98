import { z } from "zod";
import { PARSE_OPTIONS } from "../kernel/parse-options.ts";
import { APIS, type Endpoint } from "./contract/endpoint.ts";
import { getAtPath } from "./contract/shapes/pagination.ts";
import { explain } from "./contract/wire/request-checks.ts";
import { translate } from "./contract/wire/translate.ts";
import {
  createFailure,
  type Failure,
  getFailureKind,
  type PlatformResult,
  parseStorableJson,
} from "./errors.ts";
import { parseRetryAfter } from "./retry.ts";
import type { HttpAnswer } from "./transport.ts";

/** Parses a complete answer by its endpoint; returns the value or the failure. `nowMs` is for `Retry-After` dates. */
export function readAnswer(endpoint: Endpoint, answer: HttpAnswer, nowMs: number): PlatformResult<unknown> {
  const { status, headers } = answer;
  const text = decode(answer.body);
  if (status < 200 || status >= 300)
    return createFailedResult(createRefusalFailure(answer, { text: text ?? "", nowMs }));
  if (isCompressed(headers))
    return createFailedResult(createMalformedFailure("is compressed, which was not asked for", status));
  if (text === null) return createFailedResult(createMalformedFailure("is not UTF-8", status));
  const json = parseStorableJson(text);
  const stated = findFailureInBody(endpoint, json);
  if (stated !== null)
    return createFailedResult({
      ...createRefusalFailure(answer, { text, nowMs, failureWord: stated.failureWord }),
      kind: stated.kind,
    });
  return readBody(endpoint, answer, { text, json: readEnvelope(endpoint, json) });
}

/**
 * Wraps answers of cost management that come without the envelope, or in one without `data`: the documents describe some
 * answers only as "success" or "a boolean".
 */
function readEnvelope({ api }: Endpoint, json: unknown): unknown {
  if (APIS[api].envelope !== "cost") return json;
  if (typeof json === "boolean") return { status: "SUCCESS", data: json };
  return getAtPath(json, ["status"]) === undefined ? json : { data: null, ...Object(json) };
}

/** Reads the body. `json`: undefined for text that is not JSON. */
function readBody(
  { response }: Endpoint,
  answer: HttpAnswer,
  { text, json }: { readonly text: string; readonly json: unknown },
): PlatformResult<unknown> {
  const { status, headers } = answer;
  // Where the contract has no body, an empty body or any JSON is accepted; a web page is not.
  if (response === "empty" && (json !== undefined || text.trim() === ""))
    return { ok: true, value: undefined, headers };
  if (response === "empty" || json === undefined)
    return createFailedResult(createMalformedFailure(describeNonJson(text), status));
  return readValue(response, json, answer);
}

function readValue(
  response: z.ZodType,
  json: unknown,
  { status, headers }: Pick<HttpAnswer, "status" | "headers">,
): PlatformResult<unknown> {
  const read = compileSchema(response).safeParse(translate(response, json, "neutral"), PARSE_OPTIONS);
  if (read.success) return { ok: true, value: read.data, headers };
  const problems = explain("answer", read.error);
  return createFailedResult(
    createMalformedFailure(`is not what the contract says: ${problems.slice(0, 3).join("; ")}`, status),
  );
}

const createFailedResult = (why: Failure): PlatformResult<never> => ({ ok: false, failure: why });

const createMalformedFailure = (what: string, status: number): Failure =>
  createFailure("malformed", `the answer ${what}`, { status });

interface ErrorAnswer {
  readonly text: string;
  readonly nowMs: number;
  /** The failure word in the body of a 2xx. */
  readonly failureWord?: string;
}

function createRefusalFailure(
  { status, headers }: HttpAnswer,
  { text, nowMs, failureWord }: ErrorAnswer,
): Failure {
  const { code, message, fields, correlationId } = readErrorBody(text);
  const isRedirect = status >= 300 && status < 400;
  const why = isRedirect ? "a redirect, which is not followed" : (message ?? "no explanation");
  const words = failureWord === undefined ? why : `${failureWord}: ${why}`;
  return {
    kind: getFailureKind(status),
    status,
    code,
    message: `answered ${status}: ${words}`,
    retryAfterMs: parseRetryAfter(headers["retry-after"], nowMs),
    fields,
    correlationId,
  };
}

const describeNonJson = (text: string): string =>
  text.trim() === "" ? "is empty" : /^\s*</.test(text) ? "is a web page, not JSON" : "is not JSON";

const isCompressed = (headers: HttpAnswer["headers"]): boolean =>
  !["", "identity"].includes((headers["content-encoding"] ?? "").trim().toLowerCase());

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(body: Uint8Array): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

const COMPILED = new WeakMap<z.ZodType, z.ZodType>();

/** Compiles a schema once, at its first use: it reads big bodies about twice as fast, and compiling takes milliseconds. */
function compileSchema(schema: z.ZodType): z.ZodType {
  const known = COMPILED.get(schema);
  if (known !== undefined) return known;
  const made = z.compile(schema);
  COMPILED.set(schema, made);
  return made;
}

/** The content of an error answer in any of the platform's envelopes; empty for any other body. */
interface ParsedErrorBody extends Pick<Failure, "code" | "fields" | "correlationId"> {
  readonly message: string | null;
}

const text = z.string().optional().catch(undefined);
const texts = z.record(z.string(), z.unknown()).optional().catch(undefined);
const field = z.object({ fieldId: text, field_name: text, error: text, message: text });

// provisioning: {name, id, message, fault …} · cost management: {status, code, message, correlationId, errors or responseMessages}
// flags: {code, message, details} · registry: {status, code, message, details} · code hosting: {message, values}
// the platform's first version: {code, message, errors: [{field_name, message}]}
const ErrorEnvelope = z.object({
  message: text,
  detailedMessage: text,
  code: z.union([z.string(), z.number()]).optional().catch(undefined),
  name: text,
  id: text,
  correlationId: text,
  errors: z.array(field).optional().catch(undefined),
  responseMessages: z
    .array(z.object({ message: text }))
    .optional()
    .catch(undefined),
  data: z.object({ message: text }).optional().catch(undefined),
  details: texts,
  values: texts,
});
type ErrorEnvelope = z.output<typeof ErrorEnvelope>;

function readErrorBody(body: string): ParsedErrorBody {
  const read = ErrorEnvelope.safeParse(parseStorableJson(body));
  if (!read.success) return { code: null, message: null, fields: [], correlationId: null };
  const { code, name, id, correlationId } = read.data;
  const fields = listFields(read.data);
  const inWords = fields.map(({ field: path, error }) => `${path}: ${error}`);
  const words = [readMessage(read.data), ...inWords].filter((part) => part !== undefined);
  return {
    code: code === undefined ? (name ?? null) : `${code}`,
    message: words.length === 0 ? null : words.join("; "),
    fields,
    correlationId: correlationId ?? id ?? null,
  };
}

function readMessage({
  message,
  detailedMessage,
  responseMessages = [],
  data,
}: ErrorEnvelope): string | undefined {
  const all = responseMessages.flatMap((one) => one.message ?? []);
  return message ?? detailedMessage ?? (all.length > 0 ? all.join("; ") : data?.message);
}

const listFields = ({ errors = [], details = {}, values = {} }: ErrorEnvelope): Failure["fields"] => [
  ...errors.map((one) => ({
    field: one.fieldId ?? one.field_name ?? "?",
    error: one.error ?? one.message ?? "?",
  })),
  ...Object.entries({ ...details, ...values }).flatMap(([path, error]) =>
    typeof error === "string" ? [{ field: path, error }] : [],
  ),
];

/** A failure stated in the body of a 2xx, and the stated word. */
interface StatedFailure {
  readonly kind: Failure["kind"];
  readonly failureWord: string;
}

/**
 * Returns the failure stated in the body of a 2xx; null without one. Cost management and the registry state it in
 * `status` (documents 1, 2.3 and 7, and 2, 2.1), feature flags in `code`, which is an HTTP status as text (1, 2.4).
 * In other services these names mean something else: a job has a `status` of its own.
 */
function findFailureInBody({ api }: Endpoint, json: unknown): StatedFailure | null {
  switch (APIS[api].envelope) {
    case "cost":
    case "registry":
      return findStatusFailure(getAtPath(json, ["status"]));
    case "flags":
      return findCodeFailure(getAtPath(json, ["code"]));
    case "goa":
    case "code":
      return null;
  }
}

/** `FAILURE` means a refused request (4xx), `ERROR` a failed service (5xx). */
function findStatusFailure(status: unknown): StatedFailure | null {
  const failureWord = typeof status === "string" ? status.toUpperCase() : "";
  if (failureWord === "FAILURE") return { kind: "rejected", failureWord };
  return failureWord === "ERROR" ? { kind: "unavailable", failureWord } : null;
}

function findCodeFailure(code: unknown): StatedFailure | null {
  const text = typeof code === "string" || typeof code === "number" ? `${code}` : "";
  return /^[45]\d\d$/.test(text) ? { kind: getFailureKind(Number(text)), failureWord: `code ${text}` } : null;
}
