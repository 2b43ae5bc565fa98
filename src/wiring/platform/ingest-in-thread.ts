import { getCodeFile } from "../../package/shipped-files.ts";
import type { IngestReader, LargeIngestReader } from "../../platform-server/executions/ingest.ts";
import type { UnparsedBody } from "../../platform-server/http/body/parse-body.ts";
import type { RawInput } from "../../platform-server/http/read-input.ts";
import { createThreadQueue, type ThreadQueueOptions } from "../thread-queue.ts";

/** A request to the ingestion, with the bytes where `createThreadQueue` moves them from. */
export type IngestWork = UnparsedBody & Omit<RawInput, "body">;

/** A body of 16 MiB takes less than a second and half of the heap; a busy machine takes longer. */
const THREADS: ThreadQueueOptions = {
  file: getCodeFile("wiring/platform/ingest-thread.ts"),
  timeoutMs: 20_000,
  heapMb: 512,
};

/** Makes a reader of large bodies, each in a thread of its own. It rejects with TollgateError `thread_failed`. */
export function createThreadIngestReader(options: Partial<ThreadQueueOptions> = {}): LargeIngestReader {
  const read = createThreadQueue<IngestWork, Awaited<ReturnType<IngestReader>>>({ ...THREADS, ...options });
  return ({ body, ...request }) => read({ ...request, ...body });
}
