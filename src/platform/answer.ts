import { z } from "zod";
import { explain } from "./contract/codec.ts";
import type { Endpoint } from "./contract/endpoint.ts";
import { type Failure, failure, kindOfStatus, type Outcome, parseJson, readErrorBody } from "./errors.ts";
import { parseRetryAfter } from "./retry.ts";
import type { HttpAnswer } from "./transport.ts";

/** Judges an answer that arrived whole: what the endpoint promises, or why it is none. `nowMs` is for `Retry-After` dates. */
export function readAnswer(endpoint: Endpoint, answer: HttpAnswer, nowMs: number): Outcome<unknown> {
  const { status, headers } = answer;
  const text = decode(answer.body);
  if (status < 200 || status >= 300) return failed(refused(answer, text ?? "", nowMs));
  if (isCompressed(headers)) return failed(malformed("is compressed, which was not asked for", status));
  if (text === null) return failed(malformed("is not UTF-8", status));
  if (endpoint.response === "empty") {
    return isEmpty(text) ? { ok: true, value: undefined, headers } : failed(malformed(notJson(text), status));
  }
  const json = parseJson(text);
  if (json === undefined) return failed(malformed(notJson(text), status));
  const read = compiled(endpoint.response).safeParse(json);
  if (read.success) return { ok: true, value: read.data, headers };
  const problems = explain("answer", read.error);
  return failed(malformed(`is not what the contract says: ${problems.slice(0, 3).join("; ")}`, status));
}

const failed = (why: Failure): Outcome<never> => ({ ok: false, failure: why });

const malformed = (what: string, status: number): Failure =>
  failure("malformed", `the answer ${what}`, { status });

function refused({ status, headers }: HttpAnswer, text: string, nowMs: number): Failure {
  const { code, message } = readErrorBody(text);
  const words = status < 400 ? "a redirect, which is not followed" : (message ?? "no explanation");
  return {
    kind: kindOfStatus(status),
    status,
    code,
    message: `answered ${status}: ${words}`,
    retryAfterMs: parseRetryAfter(headers["retry-after"], nowMs),
  };
}

/** Where no body is promised, none or any JSON will do; a page for people will not. */
const isEmpty = (text: string): boolean => text.trim() === "" || parseJson(text) !== undefined;

const notJson = (text: string): string =>
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

/** Big bodies are read about twice as fast by a compiled schema; compiling takes milliseconds, hence once and only when used. */
function compiled(schema: z.ZodType): z.ZodType {
  const known = COMPILED.get(schema);
  if (known !== undefined) return known;
  const made = z.compile(schema);
  COMPILED.set(schema, made);
  return made;
}
