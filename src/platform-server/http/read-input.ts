import { parse } from "yaml";
import type { z } from "zod";
import { cutText, shorten } from "../../kernel/shorten.ts";
import type { Endpoint, EndpointInput } from "../../platform/contract/endpoint.ts";
import { readRequest } from "../../platform/contract/wire/codec.ts";
import type { FieldError } from "../../platform/contract/wire/request-checks.ts";
import { DIALECTS, type DialectName, translateField } from "../../platform/contract/wire/translate.ts";
import type { Problem } from "../area/problem.ts";
import { hasNul, isNestedDeeperThan, MAX_NESTING, TOO_NESTED } from "../area/value-limits.ts";
import { readForm } from "./form.ts";
import type { WireFormat } from "./formats.ts";

/** The parts of a request that has arrived; another thread can receive them. */
export interface RawInput {
  readonly body: UnparsedBody | { readonly value: unknown };
  readonly params: Readonly<Record<string, string>>;
  /** As in the URL, without its question mark. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the names in the answer. */
  readonly dialect: DialectName;
}

/** A body whose bytes have arrived. */
export interface UnparsedBody {
  readonly bytes: Uint8Array;
  readonly format: WireFormat;
  readonly contentType: string;
}

/** Parses and validates a request to one endpoint, and makes what its handler is called with. */
export type InputReader<Input> = (raw: RawInput) => Promise<{ readonly input: Input } | Problem>;

/** Most problems of a request that one answer lists. */
const MAX_PROBLEMS = 10;

const createBadRequest = (message: string, more: Pick<Problem, "code" | "fields"> = {}): Problem => ({
  problem: "bad_request",
  message,
  ...more,
});

/** Parses and validates a request by its endpoint. The result depends on the arguments only. */
export async function readInput<E extends Endpoint>(
  endpoint: E,
  { body, params, query, headers, dialect }: RawInput,
): Promise<{ readonly input: EndpointInput<E> } | Problem> {
  const parsed = "value" in body ? body : await parseBody(body, endpoint.body);
  if ("problem" in parsed) return parsed;
  const parameters = new URLSearchParams(query);
  if (hasNul(params) || hasNul([...parameters.values()]))
    return createBadRequest("a parameter holds the character U+0000");
  const checked = readRequest(endpoint, { params, query: parameters, headers, body: parsed.value });
  return checked.ok ? { input: checked.value } : createUnreadableProblem(checked, dialect);
}

function createUnreadableProblem(
  found: { readonly problems: readonly string[]; readonly fields: readonly FieldError[] },
  dialect: DialectName,
): Problem {
  const firstProblems = found.problems.slice(0, MAX_PROBLEMS).map((text) => shorten(text, 300));
  const rest = found.problems.length - firstProblems.length;
  const fields = found.fields.slice(0, MAX_PROBLEMS).map(({ part, field, error }) => ({
    field: cutText(translateField(field === "" ? part : field, DIALECTS[dialect]), 300),
    error: shorten(error, 300),
  }));
  const words = firstProblems.join("; ");
  return createBadRequest(rest > 0 ? `${words}; and ${rest} more` : words, { fields });
}

/** Parses a body's bytes to a value; the schema of its members is not checked here. */
async function parseBody(
  { bytes, format, contentType }: UnparsedBody,
  schema: Endpoint["body"],
): Promise<{ readonly value: unknown } | Problem> {
  if (schema === undefined || schema === "bytes") return { value: bytes };
  try {
    const value = await PARSERS[format](bytes, { contentType, schema });
    // JSON was counted while it was read.
    if (format !== "json" && isNestedDeeperThan(value, MAX_NESTING))
      return createBadRequest(`the body ${TOO_NESTED}`);
    // Looking through a large body takes time, and JSON cannot hold the character unless it is written out.
    if ((format === "json" && !Buffer.from(bytes).includes("\\u0000")) || !hasNul(value)) return { value };
    return createBadRequest("a text in the body holds the character U+0000");
  } catch {
    const more = format === "json" ? { code: "INVALID_JSON_PAYLOAD" } : {};
    return createBadRequest(`the body is not ${NAMES[format]} in UTF-8`, more);
  }
}

const NAMES: Readonly<Record<WireFormat, string>> = {
  json: "JSON",
  yaml: "YAML without aliases",
  multipart: "a form of texts",
  urlencoded: "a form of texts",
};

interface Hints {
  readonly contentType: string;
  readonly schema: z.ZodType;
}

const decodeText = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

const PARSERS: Readonly<Record<WireFormat, (bytes: Uint8Array, hints: Hints) => unknown>> = {
  json: (bytes) => JSON.parse(decodeText(bytes)),
  // An alias may stand for a large part, which may itself hold aliases: a few lines could fill the memory.
  yaml: (bytes) => parse(decodeText(bytes), { maxAliasCount: 0, logLevel: "error", schema: "core" }),
  multipart: parseFormBody,
  urlencoded: parseFormBody,
};

async function parseFormBody(bytes: Uint8Array, { contentType, schema }: Hints): Promise<unknown> {
  // A copy, because a response takes no view of a shared buffer.
  const body = new Response(Uint8Array.from(bytes), { headers: { "content-type": contentType } });
  const fields = [...(await body.formData())].map(([name, value]): [string, string] => {
    if (typeof value === "string") return [name, value];
    throw new TypeError("files are not taken");
  });
  return readForm(schema, fields);
}
