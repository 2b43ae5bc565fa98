import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Hono } from "hono";
import { getCodeFile } from "../../package/shipped-files.ts";
import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import { type ApiReference, createReferenceRoute } from "../../web/reference/reference-route.ts";

const THREAD = getCodeFile("wiring/platform/reference-thread.ts");

/** Returns the route with the embedded platform's API reference, in the dialect of its responses. */
export const createPlatformReference = (dialect: DialectName): Hono =>
  createReferenceRoute(() => makeReference(dialect));

/**
 * Builds the reference in a thread, because this takes some hundred ms during which the server could not
 * respond.
 */
async function makeReference(dialect: DialectName): Promise<ApiReference> {
  const thread = new Worker(THREAD, { workerData: dialect });
  const [made] = await once(thread, "message");
  return made as ApiReference; // our own thread sent it
}
