import { type Dispatcher, request } from "undici";
import type { z } from "zod";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { Settings } from "../../settings/read.ts";
import { KEY_HEADER, LocalRefusal, REFUSED_STATUS } from "../../web/local/operation.ts";
import { findRunningFile } from "./running-file.ts";

export interface ProcessQuestion {
  readonly path: string;
  /** Sent as JSON. */
  readonly content: object;
  /** Required media type of the response. */
  readonly type: string;
}

export type AnswerBody = Dispatcher.ResponseData["body"];

/** `unexpected`: a server listens there that rejects the address or the key, or it failed. */
export type ProcessAnswer =
  | { readonly state: "absent" }
  | { readonly state: "silent" }
  /** `url`: where the process listens, without a slash at the end. The caller must read the body. */
  | { readonly state: "answered"; readonly url: string; readonly body: AnswerBody }
  | { readonly state: "unexpected"; readonly status: number }
  | LocalRefusal;

type EmbeddedDatabase = Pick<Settings, "databaseUrl" | "dataDirectory">;

/** Sends a request to the Tollgate process whose address is in the data directory; without an embedded database there is none. */
export async function askProcess(
  settings: EmbeddedDatabase,
  { path, content, type }: ProcessQuestion,
): Promise<ProcessAnswer> {
  const answer = await send(settings, path, content);
  if (answer === "absent" || answer === "silent") return { state: answer };
  const { url, statusCode: status, headers, body } = answer;
  if (status === 200 && `${headers["content-type"]}`.startsWith(type))
    return { state: "answered", url, body };
  const refusal = LocalRefusal.safeParse(status === REFUSED_STATUS && (await body.json().catch(() => null)));
  body.destroy();
  return refusal.success ? refusal.data : { state: "unexpected", status };
}

/** Asks the process that uses the embedded database for its `/readyz`; null: there is none. */
export async function askHealth(settings: EmbeddedDatabase) {
  const answer = await send(settings, "/readyz");
  if (answer === "absent" || answer === "silent") return null;
  return { url: answer.url, isReady: answer.statusCode === 200, report: await answer.body.text() };
}

/** Time limit until a Tollgate on this machine begins its response, in ms. */
const ANSWER_MS = 10_000;
/** After this silence in the middle of a response, in ms, a running Tollgate counts as failed. */
const SILENCE_MS = MINUTE_MS;

/** Posts the content, or gets the path without one. `absent`: the data directory names no address, or nothing listens there. */
async function send(
  { databaseUrl, dataDirectory }: EmbeddedDatabase,
  path: string,
  content?: object,
): Promise<(Dispatcher.ResponseData & { readonly url: string }) | "absent" | "silent"> {
  const running = databaseUrl === null ? findRunningFile(dataDirectory) : null;
  if (running === null) return "absent";
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  try {
    const posted = content && { method: "POST", body: JSON.stringify(content) };
    const answer = await request(`${running.url}${path}`, {
      method: "GET",
      ...posted,
      headers: { [KEY_HEADER]: running.key, ...(posted && { "content-type": "application/json" }) },
      bodyTimeout: SILENCE_MS,
      reset: true,
      signal: late.signal,
    });
    answer.body.on("error", () => {}); // whoever reads it gets the error; one that is not read to its end has one, too
    return { ...answer, url: running.url };
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ECONNREFUSED" ? "absent" : "silent";
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the lines of a response as they arrive. The next line is read from the connection only when the caller requests it.
 *
 * @throws TollgateError `running_failed` when the connection ends before the response does
 */
export async function* readAnswerLines(body: AnswerBody): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  try {
    for await (const chunk of body) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
  } catch (cause) {
    throw createCutOffError(cause);
  }
  if (rest !== "") throw createCutOffError();
}

/**
 * An answer that is one JSON document. Throws `running_failed` when it is cut off or does not fit the schema; `hint` says what to do about
 * the latter.
 */
export async function readAnswer<T>(body: AnswerBody, schema: z.ZodType<T>, hint?: string): Promise<T> {
  const answer: unknown = await body.json().catch((cause: unknown) => {
    throw createCutOffError(cause);
  });
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  throw createUnknownAnswerError(hint);
}

/** Creates the error for an incomplete response. */
export const createCutOffError = (cause?: unknown): TollgateError =>
  new TollgateError("running_failed", "the Tollgate that runs here broke off in the middle of its answer", {
    cause,
    retryable: true,
    hint: "What was printed is not whole. It may have been restarted: run the command again. If not, its log says why.",
  });

/** Creates the error for a response that this version cannot parse. */
export const createUnknownAnswerError = (hint = OTHER_VERSION): TollgateError =>
  new TollgateError("running_failed", "the Tollgate that runs here answers in a way that is not known", {
    hint,
  });

/** Hint for a process of another version. */
export const OTHER_VERSION =
  "It is of another version: restart it with this one, or stop it and run the command again.";
