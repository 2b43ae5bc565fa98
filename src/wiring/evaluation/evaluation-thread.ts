import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { TollgateError } from "../../kernel/errors.ts";
import { getCodeFile } from "../../package/shipped-files.ts";
import { cutLists } from "./cut-lists.ts";
import type { Position, TaskAttempt, ThreadRequest, ThreadResponse } from "./messages.ts";

export interface ThreadLimits {
  /** Time limit of one attempt, in ms. */
  readonly timeoutMs: number;
  /** Memory limit of the thread, in MB. */
  readonly heapMb: number;
}

export type AttemptEnd =
  | { readonly state: "done"; readonly result: unknown; readonly stoppedAt: string | null }
  /** `position`: number of the condition being evaluated; 0: none. */
  | { readonly state: "too_slow" | "too_large"; readonly position: number };

type ThreadEnd = AttemptEnd | { readonly state: "failed"; readonly problem: string };

const THREAD = getCodeFile("wiring/evaluation/thread.ts");

/** Time limit of a thread's start, in ms. A busy machine can delay the start; a task cannot. */
const START_MS = 30_000;
/** Attempts after which a thread is replaced: this releases the types that the expression library caches. */
const ATTEMPTS = 500;

/**
 * A thread without the process's environment, for one attempt at a time. It starts on demand, and an idle thread
 * does not prevent the end of the process.
 */
export class EvaluationThread {
  readonly #limits: ThreadLimits;
  readonly #position: Position = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | null = null;
  #attempts = 0;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
  }

  /**
   * Runs one attempt.
   *
   * @throws TollgateError `internal`, retryable, when the thread does not start or fails
   */
  async attempt(attempt: TaskAttempt): Promise<AttemptEnd> {
    const worker = await this.#ready();
    this.#attempts += 1;
    Atomics.store(this.#position, 0, 0);
    const end = await this.#send(worker, attempt).catch(async (error: unknown) => {
      await this.close(); // pieces that were already sent must not become part of the next attempt
      throw error;
    });
    if (end.state === "done" && this.#attempts < ATTEMPTS) worker.unref();
    else await this.close();
    if (end.state === "failed") throw createThreadError(end.problem);
    return end;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#attempts = 0;
    await worker?.terminate();
  }

  /** Sends an attempt in pieces and waits for its end. */
  async #send(worker: Worker, attempt: TaskAttempt): Promise<ThreadEnd> {
    const { rest, pieces } = cutLists(attempt.input);
    const send = (message: ThreadRequest): void => worker.postMessage(message);
    for (const piece of pieces) {
      send({ kind: "piece", piece });
      await nextTurn();
    }
    const ended = this.#endOf(worker);
    send({ kind: "attempt", attempt: { ...attempt, input: rest } });
    return ended;
  }

  async #ready(): Promise<Worker> {
    if (this.#worker !== null) {
      this.#worker.ref();
      return this.#worker;
    }
    const { heapMb } = this.#limits;
    const worker = new Worker(THREAD, {
      workerData: this.#position,
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    // The next attempt detects that an idle thread ended; without a listener, its error would end the
    // process.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = null;
    });
    const started = await waitForMessage(worker, START_MS, (message) =>
      message.kind === "ready" ? message : null,
    );
    if (started.state !== "message") {
      await worker.terminate();
      throw createThreadError(`no thread started: ${started.state}`);
    }
    this.#worker = worker;
    return worker;
  }

  async #endOf(worker: Worker): Promise<ThreadEnd> {
    const outcome = await waitForMessage(worker, this.#limits.timeoutMs, (message) =>
      message.kind === "ready" ? null : message,
    );
    switch (outcome.state) {
      case "message": {
        const { message } = outcome;
        return message.kind === "failed"
          ? { state: "failed", problem: message.problem }
          : { state: "done", result: message.result, stoppedAt: message.stoppedAt };
      }
      case "too_slow":
      case "too_large":
        return { state: outcome.state, position: Atomics.load(this.#position, 0) };
      case "ended":
        return { state: "failed", problem: outcome.problem };
    }
  }
}

/** Nothing of the process's environment but its cache of compiled modules, with which a thread starts in half the time. */
function threadEnvironment(): { NODE_COMPILE_CACHE?: string } {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}

type MessageOutcome<Message> =
  | { readonly state: "message"; readonly message: Message }
  | { readonly state: "too_slow" | "too_large" }
  | { readonly state: "ended"; readonly problem: string };

/** Returns the first message that `choose` accepts, or the end of the thread or of the time limit. */
function waitForMessage<Message>(
  worker: Worker,
  timeoutMs: number,
  choose: (message: ThreadResponse) => Message | null,
): Promise<MessageOutcome<Message>> {
  const { promise, resolve } = Promise.withResolvers<MessageOutcome<Message>>();
  const timer = setTimeout(resolve, timeoutMs, { state: "too_slow" });
  const onMessage = (message: ThreadResponse): void => {
    const chosen = choose(message);
    if (chosen !== null) resolve({ state: "message", message: chosen });
  };
  const onError = (error: Error): void =>
    resolve(
      "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? { state: "too_large" }
        : { state: "ended", problem: String(error) },
    );
  const onExit = (code: number): void =>
    resolve({ state: "ended", problem: `the thread ended with ${code}` });
  worker.on("message", onMessage).on("error", onError).on("exit", onExit);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", onMessage).off("error", onError).off("exit", onExit);
  });
}

const createThreadError = (problem: string): TollgateError =>
  new TollgateError("internal", "the thread that evaluates policies broke down", {
    retryable: true,
    cause: new Error(problem),
  });
