import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import type { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import type { Settings } from "../../settings/settings.ts";
import { KEY_HEADER, LocalRefusal, REFUSED_STATUS } from "../../web/local/access.ts";
import { findRunningFile, type RunningFile } from "./running-file.ts";

/** A request to the Tollgate process that uses the data directory. */
export interface ProcessQuestion {
  /** Path and query of the URL. */
  readonly address: string;
  /** Required media type of the response. */
  readonly type: string;
  /** Absent: GET. */
  readonly method?: "POST" | "DELETE";
  /** Sent as JSON; absent: nothing. */
  readonly content?: unknown;
}

/** `unexpected`: a server listens there that rejects the address or the key, or it failed. */
export type ProcessAnswer =
  | { readonly state: "absent" | "silent" }
  /** `url`: where the process listens, without a slash at the end. */
  | { readonly state: "answered"; readonly url: string; readonly body: IncomingMessage }
  | { readonly state: "unexpected"; readonly status: number }
  | LocalRefusal;

/** Time limit until a Tollgate on this machine begins its response, in ms. */
const ANSWER_MS = 10_000;

/**
 * Sends a request to the Tollgate process whose address is in the data directory; without an embedded database there is none. The caller
 * must read or destroy a returned body.
 */
export async function askProcess(
  settings: EmbeddedDatabase,
  { address, type, ...sent }: ProcessQuestion,
): Promise<ProcessAnswer> {
  const running = findProcess(settings, address);
  if (running === null) return { state: "absent" };
  const body = await requestAnswer(running, sent);
  if (body === null || body === "silent") return { state: body ?? "absent" };
  const status = body.statusCode ?? 0;
  if (status === 200 && body.headers["content-type"]?.startsWith(type))
    return { state: "answered", url: running.url, body };
  const refusal = LocalRefusal.safeParse(
    status === REFUSED_STATUS ? await json(readAnswerChunks(body)).catch(() => null) : null,
  );
  body.destroy();
  return refusal.success ? refusal.data : { state: "unexpected", status };
}

/** What the process that uses the data directory says of its own health. */
export interface RunningHealth {
  readonly url: string;
  readonly isReady: boolean;
  readonly body: IncomingMessage;
}

/** Asks the process that uses the embedded database for its `/readyz`; null: there is none. The caller must read the body. */
export async function askHealth(settings: EmbeddedDatabase): Promise<RunningHealth | null> {
  const running = findProcess(settings, "/readyz");
  const body = running === null ? null : await requestAnswer(running);
  if (running === null || body === null || body === "silent") return null;
  return { url: running.url, isReady: body.statusCode === 200, body };
}

type EmbeddedDatabase = Pick<Settings, "databaseUrl" | "dataDirectory">;

/** The process whose address is in the data directory, with the whole URL of the request; null: there is none. */
function findProcess(
  { databaseUrl, dataDirectory }: EmbeddedDatabase,
  address: string,
): (RunningFile & { readonly target: URL }) | null {
  const running = databaseUrl === null ? findRunningFile(dataDirectory) : null;
  const target = running === null ? null : URL.parse(`${running.url}${address}`);
  return running === null || target === null ? null : { ...running, target };
}

/** Returns the response with its unread body; null: no server listens there, or address or key are none. */
function requestAnswer(
  { target, key }: { readonly target: URL; readonly key: string },
  { method, content }: Pick<ProcessQuestion, "method" | "content"> = {},
): Promise<IncomingMessage | "silent" | null> {
  return new Promise<IncomingMessage | "silent" | null>((resolve) => {
    const headers = {
      [KEY_HEADER]: key,
      ...(content !== undefined && { "content-type": "application/json" }),
    };
    // Without an agent the connection ends with the response.
    const asked = request(target, { method, headers, agent: false }, (body) => {
      clearTimeout(timer);
      resolve(body);
    });
    asked.end(content === undefined ? undefined : JSON.stringify(content));
    const timer = setTimeout(() => {
      resolve("silent");
      asked.destroy();
    }, ANSWER_MS);
    asked.on("error", () => {
      clearTimeout(timer);
      resolve(null);
    });
  }).catch(() => null); // an address or key that is not ours is refused at once
}

/** After this silence in the middle of a response, in ms, a running Tollgate counts as failed. */
const SILENCE_MS = 60_000;

/**
 * Returns the lines of a response as they arrive. The next line is read from the connection only when the
 * caller requests it.
 *
 * @throws TollgateError `running_failed` when the connection ends before the response does
 */
export async function* readAnswerLines(body: IncomingMessage): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  for await (const chunk of readAnswerChunks(body)) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") throw createCutOffError();
}

/** Returns the bytes of a response as they arrive. Throws `running_failed` like `readAnswerLines`. */
async function* readAnswerChunks(body: IncomingMessage): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const silence = setTimeout(() => body.destroy(new Error("silent")), SILENCE_MS);
      const next = await chunks
        .next()
        .catch((cause: unknown) => {
          throw createCutOffError(cause);
        })
        .finally(() => clearTimeout(silence));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    body.destroy();
  }
}

/**
 * An answer that is one JSON document. Throws `running_failed` when it is cut off or does not fit the schema; `hint` says what to do about
 * the latter.
 */
export async function readAnswer<T>(body: IncomingMessage, schema: z.ZodType<T>, hint?: string): Promise<T> {
  const answer: unknown = await json(readAnswerChunks(body)).catch((cause: unknown) => {
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
