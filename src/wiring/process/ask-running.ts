import { get, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import type { Settings } from "../../settings/settings.ts";
import { KEY_HEADER, LocalRefusal, REFUSED } from "../../web/local/access.ts";
import { answerChunks } from "./answer-lines.ts";
import { findRunningFile } from "./running-file.ts";

/** What is asked of the Tollgate that holds the data directory. */
export interface ProcessQuestion {
  /** Path and query. */
  readonly address: string;
  /** Media type that the answer must have. */
  readonly type: string;
}

/** `strange`: something listens there that knows neither the address nor the key, or it failed. */
export type ProcessAnswer =
  | { readonly state: "nobody" | "silent" }
  | { readonly state: "answered"; readonly body: IncomingMessage }
  | { readonly state: "strange"; readonly status: number }
  | LocalRefusal;

/** How long a Tollgate of this machine may take to begin its answer, in ms. */
const ANSWER_MS = 10_000;

/** Asks the Tollgate that left its address in the data directory; whoever gets a body reads or destroys it. */
export async function askToRead(
  { dataDirectory }: Pick<Settings, "dataDirectory">,
  { address, type }: ProcessQuestion,
): Promise<ProcessAnswer> {
  const running = findRunningFile(dataDirectory);
  if (running === null) return { state: "nobody" };
  const given = URL.parse(`${running.url}${address}`);
  if (given === null) return { state: "nobody" };
  const body = await begun(given, running.key).catch(() => null); // what is no address or key of ours is refused at once
  if (body === null || body === "silent") return { state: body ?? "nobody" };
  const status = body.statusCode ?? 0;
  if (status === 200 && body.headers["content-type"]?.startsWith(type)) return { state: "answered", body };
  const refusal = LocalRefusal.safeParse(
    status === REFUSED ? await json(answerChunks(body)).catch(() => null) : null,
  );
  body.destroy();
  return refusal.success ? refusal.data : { state: "strange", status };
}

/** The answer's head and its body to come; null: nobody listens there. */
function begun(url: URL, key: string): Promise<IncomingMessage | "silent" | null> {
  return new Promise((resolve) => {
    // Without an agent the connection ends with the answer, and nothing waits for it.
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
