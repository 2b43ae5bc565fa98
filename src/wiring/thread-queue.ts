import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { TollgateError } from "../kernel/errors.ts";

export interface ThreadQueueOptions {
  /** Module that posts the result for its `workerData`. */
  readonly file: string | URL;
  /** For a thread's start and its work, in ms. */
  readonly timeoutMs: number;
  /** Largest heap of a thread, in MB. */
  readonly heapMb: number;
}

/** Work on bytes. */
export interface ThreadWork {
  readonly bytes: Uint8Array;
}

/** For all work that waits or is being done, in bytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Makes a function that does each piece of work in a thread of its own, one after the other: such work is rare, and the memory of a
 * thread is free after its end. The bytes are moved to the thread. The function rejects with TollgateError `thread_failed` when the
 * thread fails or exceeds a limit, and when the work that waits already would exceed 256 MiB.
 */
export function createThreadQueue<Work extends ThreadWork, Result>(
  options: ThreadQueueOptions,
): (work: Work) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let bytes = 0;
  return (work) => {
    const { length } = work.bytes;
    if (bytes + length > MAX_BYTES) return Promise.reject(createFailure("too much work waits for it"));
    bytes += length;
    const done = last
      .then(() => runInThread<Result>(options, work))
      .finally(() => {
        bytes -= length;
      });
    last = done.catch(() => {});
    return done;
  };
}

async function runInThread<Result>(
  { file, timeoutMs, heapMb }: ThreadQueueOptions,
  { bytes, ...work }: ThreadWork,
): Promise<Result> {
  const moved = isWholeBuffer(bytes) ? bytes : new Uint8Array(bytes);
  const directory = getCompileCacheDir();
  const worker = new Worker(file, {
    workerData: { ...work, bytes: moved },
    transferList: [moved.buffer],
    env: directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) },
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const ended = new AbortController();
  worker.on("error", () => {}); // one that comes after the timeout; the one that is waited for rejects below
  worker.once("exit", () => ended.abort());
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const [result] = await once(worker, "message", { signal: AbortSignal.any([ended.signal, timeout]) });
    return result as Result; // the module of `file` posts it
  } catch (cause) {
    const isLate = timeout.aborted && !ended.signal.aborted;
    throw createFailure(isLate ? `it took longer than ${timeoutMs} ms` : "it ended without a result", cause);
  } finally {
    await worker.terminate();
  }
}

const createFailure = (reason: string, cause?: unknown): TollgateError =>
  new TollgateError("thread_failed", `a thread could not do its work: ${reason}`, { cause });

/** Whether nothing else is in the memory that would be moved with the bytes. */
const isWholeBuffer = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
