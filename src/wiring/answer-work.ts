import { parentPort } from "node:worker_threads";
import type { WorkEnd } from "./thread-pool.ts";

/** In a thread of a `ThreadPool`: does each piece of work that arrives, and says how it ended. */
export function answerWork<Work, Result>(perform: (work: Work) => Result | Promise<Result>): void {
  const post = (end: WorkEnd<Result | null>): void => parentPort?.postMessage(end);
  parentPort?.on("message", async (work: Work) => {
    try {
      post({ state: "done", result: await perform(work) });
    } catch (error) {
      post({
        state: "failed",
        problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  });
  post({ state: "done", result: null }); // it has started
}
