import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { TollgateError } from "../../kernel/errors.ts";
import { getCodeFile } from "../../package/shipped-files.ts";
import type { TaskKind } from "../../policy/task.ts";
import type { ConditionStop } from "../../policy/when/condition-run.ts";
import type { CostLimits } from "../../policy/when/metered-evaluation.ts";

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

/** One attempt at a task. */
export interface TaskAttempt {
  readonly kind: TaskKind;
  readonly input: unknown;
  readonly limits: CostLimits | undefined;
  readonly stop: ConditionStop | null;
  readonly skipped: ReadonlyMap<string, string>;
}

/** The pieces of the input are sent before the attempt. */
export type ThreadRequest =
  | { readonly kind: "piece"; readonly piece: ListPiece }
  | { readonly kind: "attempt"; readonly attempt: TaskAttempt };

export type ThreadResponse =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly result: unknown; readonly stoppedAt: string | null }
  | { readonly kind: "failed"; readonly problem: string };

/**
 * Shared memory with the number of the condition being evaluated; it can be read while the thread is busy.
 */
export type Position = Int32Array<SharedArrayBuffer>;

/** A part of a list that was cut out of a value. */
export interface ListPiece {
  /** Path of the list in the value. */
  readonly path: readonly (string | number)[];
  readonly items: readonly unknown[];
}

interface CutValue {
  /** The value with empty lists instead of long ones. */
  readonly rest: unknown;
  readonly pieces: readonly ListPiece[];
}

/** Longest list, in elements, that is not cut out. */
const SHORT = 50;
/** Elements of one piece: its transfer takes a few ms. */
const PIECE = 1_000;

/** Cuts long lists out of plain data, so that the data can be transferred in pieces. */
export function cutLists(value: unknown): CutValue {
  const pieces: ListPiece[] = [];
  return { rest: cutValue(value, [], pieces), pieces };
}

function cutValue(value: unknown, path: ListPiece["path"], pieces: ListPiece[]): unknown {
  if (Array.isArray(value)) {
    if (value.length <= SHORT) return value.map((item: unknown, at) => cutValue(item, [...path, at], pieces));
    for (let from = 0; from < value.length; from += PIECE)
      pieces.push({ path, items: value.slice(from, from + PIECE) });
    return [];
  }
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, cutValue(member, [...path, key], pieces)]),
  );
}

/** Inserts the pieces, in order, into the rest of the value. */
export function joinLists({ rest, pieces }: CutValue): unknown {
  for (const { path, items } of pieces) {
    const list = path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], rest); // the path was derived from this value
    if (Array.isArray(list)) for (const item of items) list.push(item);
  }
  return rest;
}
