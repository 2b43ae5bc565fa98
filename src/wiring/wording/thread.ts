import { parentPort, workerData } from "node:worker_threads";
import { fillPartial, type WordingTask } from "../../render/custom/fill.ts";
import type { FromThread } from "./fill-in-thread.ts";

// Runs in a thread of its own: see `fill-in-thread.ts`.
const tell = (message: FromThread): void => parentPort?.postMessage(message);
const tasks = workerData as readonly WordingTask[]; // the other side is `fill-in-thread.ts`
tell({ kind: "ready" });
for (const task of tasks) tell({ kind: "filled", filled: fillPartial(task) });
