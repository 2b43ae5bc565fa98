import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import type { DeliveryBody, ReducedBody } from "../../github/webhooks/reduce-body.ts";
import { getCodeFile } from "../../package/shipped-files.ts";

const THREAD = getCodeFile("wiring/deliveries/reduce-thread.ts");
/** For a thread's start and its work, in ms: GitHub waits for ten seconds. */
const TIMEOUT_MS = 8_000;
/** A body of 25 MB with the most values that are accepted takes half of it. */
const HEAP_MB = 512;

/**
 * Makes a reducer of large bodies. Each is parsed in a thread of its own, one after the other: they are rare, and the memory is free
 * afterwards. The bytes are moved to the thread. It rejects when the thread fails or takes longer than eight seconds.
 */
export function createThreadReducer(): (body: DeliveryBody) => Promise<ReducedBody> {
  let last: Promise<unknown> = Promise.resolve();
  return (body) => {
    const reduced = last.then(() => reduceInThread(body));
    last = reduced.catch(() => {});
    return reduced;
  };
}

async function reduceInThread({ bytes, ...body }: DeliveryBody): Promise<ReducedBody> {
  const moved = isWholeBuffer(bytes) ? bytes : new Uint8Array(bytes);
  const directory = getCompileCacheDir();
  const worker = new Worker(THREAD, {
    workerData: { ...body, bytes: moved },
    transferList: [moved.buffer],
    env: directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  const ended = new AbortController();
  worker.on("error", () => {}); // one that comes after the timeout; the one that is waited for rejects below
  worker.once("exit", () => ended.abort(new Error("the thread ended without a result")));
  try {
    const [reduced] = await once(worker, "message", {
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return reduced as ReducedBody; // as `reduce-thread.ts` sends it
  } finally {
    await worker.terminate();
  }
}

/** Whether nothing else is in the memory that would be moved with the bytes. */
const isWholeBuffer = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
