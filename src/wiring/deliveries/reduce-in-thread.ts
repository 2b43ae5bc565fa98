import type { DeliveryBody, ReducedBody } from "../../github/webhooks/accept-delivery.ts";
import { getCodeFile } from "../../package/shipped-files.ts";
import { createThreadFunction } from "../thread-pool.ts";

/** GitHub waits for ten seconds. */
const TIMEOUT_MS = 8_000;
/** A body of 25 MB with the most values that are accepted takes half of it. */
const HEAP_MB = 512;

/** Makes a reducer of large bodies. It rejects with TollgateError `thread_failed`. */
export const createThreadReducer = (): ((body: DeliveryBody) => Promise<ReducedBody>) =>
  createThreadFunction({
    file: getCodeFile("wiring/deliveries/reduce-thread.ts"),
    timeoutMs: TIMEOUT_MS,
    heapMb: HEAP_MB,
  });
