import { parentPort, workerData } from "node:worker_threads";
import { readIngest } from "../../platform-server/executions/ingest.ts";
import type { IngestWork } from "./ingest-in-thread.ts";

// Runs in a thread of its own for one request; `ingest-in-thread.ts` is the other side.
const { bytes, format, contentType, ...request } = workerData as IngestWork; // as `ingest-in-thread.ts` passes it
parentPort?.postMessage(await readIngest({ ...request, body: { bytes, format, contentType } }));
