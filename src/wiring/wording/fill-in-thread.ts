import { Worker } from "node:worker_threads";
import type { Filled, FillWording, WordingTask } from "../../render/custom/fill.ts";

/** What the thread says: that it has started, then one answer for each task. */
export type FromThread = { readonly kind: "ready" } | { readonly kind: "filled"; readonly filled: Filled };

export interface ThreadOptions {
  /** For all partials of one comment together, in ms. */
  readonly timeoutMs?: number;
  readonly thread?: URL;
}

/** The file beside this one: `.ts` from sources, `.js` from a build. */
const THREAD = import.meta.filename.endsWith(".ts")
  ? new URL("./thread.ts", import.meta.url)
  : new URL("./thread.js", import.meta.url);

const TIMEOUT_MS = 1_000;
/** Until a thread has started, which a busy machine can delay and no partial can, in ms. */
const START_MS = 15_000;
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/**
 * Fills partials that others wrote in a thread without environment, which is ended when it takes too long or too much memory.
 * Never throws: what was not filled is refused, with the reason.
 */
export const fillInThread =
  ({ timeoutMs = TIMEOUT_MS, thread = THREAD }: ThreadOptions = {}): FillWording =>
  async (tasks) => {
    if (tasks.length === 0) return [];
    const { filled, end } = await runThread(tasks, { timeoutMs, thread });
    return tasks.map((_, index) => filled[index] ?? refusal(index === filled.length ? end : "skipped"));
  };

type End = "done" | "not_started" | "too_slow" | "too_large" | "failed";

interface Ran {
  readonly filled: readonly Filled[];
  readonly end: End;
}

function runThread(
  tasks: readonly WordingTask[],
  { timeoutMs, thread }: Required<ThreadOptions>,
): Promise<Ran> {
  const plain = tasks.map(({ name, text, view, amounts }) => ({ name, text, view, amounts }));
  const worker = new Worker(thread, { workerData: plain, env: {}, resourceLimits: LIMITS });
  const filled: Filled[] = [];
  return new Promise((resolve) => {
    const end = (how: End): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve({ filled, end: how });
    };
    let timer = setTimeout(end, START_MS, "not_started");
    worker.on("message", (message: FromThread) => {
      if (message.kind === "filled") filled.push(message.filled);
      else {
        clearTimeout(timer);
        timer = setTimeout(end, timeoutMs, "too_slow");
      }
      if (filled.length === tasks.length) end("done");
    });
    let failure: End = "failed";
    worker.on("error", (error) => {
      if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") failure = "too_large";
    });
    // What was filled before an error may come after it, and never after the end.
    worker.on("exit", () => end(failure));
  });
}

const WORDS: Readonly<Record<End | "skipped", string>> = {
  done: "was not filled; re-check to try again",
  not_started: "could not be filled this time; re-check to try again",
  too_slow: "takes too long to fill; make it shorter, with fewer loops",
  too_large: "takes too much memory to fill; make it shorter, with fewer loops",
  failed: "could not be filled; make it shorter, with fewer loops",
  skipped: "was not filled, because of the file named before",
};

const refusal = (end: End | "skipped"): Filled => ({
  state: "refused",
  problems: [{ line: 1, column: 1, message: WORDS[end] }],
});
