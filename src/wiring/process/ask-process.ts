import { get, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import type { Settings } from "../../settings/settings.ts";
import { KEY_HEADER, LocalRefusal, REFUSED_STATUS } from "../../web/local/access.ts";
import { readAnswerChunks } from "./answer-lines.ts";
import { findRunningFile } from "./running-file.ts";

/** A request to the Tollgate process that uses the data directory. */
export interface ProcessQuestion {
  /** Path and query of the URL. */
  readonly address: string;
  /** Required media type of the response. */
  readonly type: string;
}

/** `unexpected`: a server listens there that rejects the address or the key, or it failed. */
export type ProcessAnswer =
  | { readonly state: "absent" | "silent" }
  | { readonly state: "answered"; readonly body: IncomingMessage }
  | { readonly state: "unexpected"; readonly status: number }
  | LocalRefusal;

/** Time limit until a Tollgate on this machine begins its response, in ms. */
const ANSWER_MS = 10_000;

/**
 * Sends a request to the Tollgate process whose address is in the data directory. The caller must read or
 * destroy a returned body.
 */
export async function askToRead(
  { dataDirectory }: Pick<Settings, "dataDirectory">,
  { address, type }: ProcessQuestion,
): Promise<ProcessAnswer> {
  const running = findRunningFile(dataDirectory);
  if (running === null) return { state: "absent" };
  const url = URL.parse(`${running.url}${address}`);
  if (url === null) return { state: "absent" };
  const body = await requestAnswer(url, running.key).catch(() => null); // an address or key that is not ours is refused at once
  if (body === null || body === "silent") return { state: body ?? "absent" };
  const status = body.statusCode ?? 0;
  if (status === 200 && body.headers["content-type"]?.startsWith(type)) return { state: "answered", body };
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
export async function askHealth({
  dataDirectory,
}: Pick<Settings, "dataDirectory">): Promise<RunningHealth | null> {
  const running = findRunningFile(dataDirectory);
  const url = running === null ? null : URL.parse(`${running.url}/readyz`);
  if (running === null || url === null) return null;
  const body = await requestAnswer(url, running.key).catch(() => null);
  if (body === null || body === "silent") return null;
  return { url: running.url, isReady: body.statusCode === 200, body };
}

/** Returns the response with its unread body; null: no server listens there. */
function requestAnswer(url: URL, key: string): Promise<IncomingMessage | "silent" | null> {
  return new Promise((resolve) => {
    // Without an agent the connection ends with the response.
    const request = get(url, { headers: { [KEY_HEADER]: key }, agent: false }, (body) => {
      clearTimeout(timer);
      resolve(body);
    });
    const timer = setTimeout(() => {
      resolve("silent");
      request.destroy();
    }, ANSWER_MS);
    request.on("error", () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}
