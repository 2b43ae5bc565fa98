import { getCodeFile } from "../../package/shipped-files.ts";
import type { LargeIngestReader } from "../../platform-server/executions/ingest.ts";
import { createThreadFunction, type LargeWorkOptions } from "../thread-pool.ts";

/** A body of 16 MiB takes less than a second and half of the heap; a busy machine takes longer. */
const THREAD: LargeWorkOptions = {
  file: getCodeFile("wiring/platform/ingest-thread.ts"),
  timeoutMs: 20_000,
  heapMb: 512,
};

/** Makes a reader of large bodies. It rejects with TollgateError `thread_failed`. */
export const createThreadIngestReader = (options: Partial<LargeWorkOptions> = {}): LargeIngestReader =>
  createThreadFunction({ ...THREAD, ...options });
