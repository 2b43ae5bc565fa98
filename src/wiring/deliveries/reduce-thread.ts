import { parentPort, workerData } from "node:worker_threads";
import { type DeliveryBody, reduceBody } from "../../github/webhooks/accept-delivery.ts";

// Runs in a thread of its own for one body; `reduce-in-thread.ts` is the other side.
parentPort?.postMessage(reduceBody(workerData as DeliveryBody)); // as `reduce-in-thread.ts` passes it
