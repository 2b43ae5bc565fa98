import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import type { Settings } from "../../settings/settings.ts";
import { KEY_HEADER, LocalRefusal, REFUSED_STATUS } from "../../web/local/access.ts";
import { readAnswerChunks } from "./answer-lines.ts";
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
