import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Hono } from "hono";
import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import { type ApiReference, referenceRoute } from "../../web/reference/reference-route.ts";

/** The file beside this one: `.ts` from sources, `.js` from a build. */
const THREAD = import.meta.filename.endsWith(".ts")
  ? new URL("./reference-thread.ts", import.meta.url)
  : new URL("./reference-thread.js", import.meta.url);

/** The embedded platform's own description, in the dialect that it answers in. */
export const platformReference = (dialect: DialectName): Hono => referenceRoute(() => makeReference(dialect));

/** In a thread, because it takes some hundred milliseconds in which the server could answer nobody. */
async function makeReference(dialect: DialectName): Promise<ApiReference> {
  const thread = new Worker(THREAD, { workerData: dialect });
  const [made] = await once(thread, "message");
  return made as ApiReference; // the thread is ours
}
