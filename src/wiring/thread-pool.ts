import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { TollgateError } from "../kernel/errors.ts";

export interface ThreadPoolOptions {
  /** Module that calls `answerWork`. */
  readonly file: string | URL;
  readonly threads: number;
  readonly heapMb: number;
  /** Pieces of work after which a thread ends: its memory is free then. */
  readonly uses: number;
}

export interface WorkLimits {
  /** Time limit of the work, without the wait for a thread and its start, in ms. */
  readonly timeoutMs: number;
  /** Present: the work never takes the last free thread, and waits for another one for at most this time, in ms. */
  readonly patienceMs?: number;
}

export type WorkEnd<Result> =
  | { readonly state: "done"; readonly result: Result }
  | { readonly state: "too_slow" | "too_large" }
  /** The patience ended before it began. */
  | { readonly state: "busy" }
  | { readonly state: "failed"; readonly problem: string };

interface Waiting {
  readonly isSpare: boolean;
  start(): void;
}

interface Thread {
  readonly worker: Worker;
  uses: number;
}

/** Time limit of a thread's start, in ms. A busy machine can delay the start; work cannot. */
const START_MS = 30_000;

/**
 * Does work in threads, in the order in which it came. Threads have nothing of the process's environment and start on demand; one whose
 * work exceeds a limit or fails is ended. An idle thread does not prevent the end of the process.
 */
export class ThreadPool<Work, Result> {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #idle: Thread[] = [];
  readonly #waiting: Waiting[] = [];
  #busy = 0;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws TollgateError `thread_failed`, retryable, when no thread starts */
  async run(work: Work, { timeoutMs, patienceMs }: WorkLimits): Promise<WorkEnd<Result>> {
    if (!(await this.#turn(patienceMs))) return { state: "busy" };
    let thread: Thread | undefined;
    let isKept = false;
    try {
      thread = this.#idle.pop() ?? (await this.#start());
      const { worker } = thread;
      worker.ref();
      worker.postMessage(work);
      const end = await waitForEnd<Result>(worker, timeoutMs);
      thread.uses += 1;
      isKept = end.state === "done" && thread.uses < this.#options.uses;
      return end;
    } finally {
      thread?.worker.unref();
      if (thread !== undefined && isKept) this.#idle.push(thread);
      else await thread?.worker.terminate();
      this.#busy -= 1;
      this.#startNext();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #isFree(isSpare: boolean): boolean {
    return this.#busy < this.#options.threads - (isSpare ? 1 : 0);
  }

  /** Waits for a thread. False: the patience ended. */
  async #turn(patienceMs: number | undefined): Promise<boolean> {
    const isSpare = patienceMs !== undefined;
    if (this.#isFree(isSpare)) {
      this.#busy += 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = { isSpare, start: () => resolve(true) };
    this.#waiting.push(waiting);
    const timer =
      patienceMs === undefined
        ? undefined
        : setTimeout(() => {
            this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
            resolve(false);
          }, patienceMs);
    return promise.finally(() => clearTimeout(timer));
  }

  #startNext(): void {
    const at = this.#waiting.findIndex(({ isSpare }) => this.#isFree(isSpare));
    if (at < 0) return;
    const [next] = this.#waiting.splice(at, 1);
    this.#busy += 1;
    next?.start();
  }

  async #start(): Promise<Thread> {
    const { file, heapMb } = this.#options;
    // Only the cache of compiled modules is named, with which a thread starts in half the time.
    const cache = getCompileCacheDir();
    const worker = new Worker(file, {
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    const thread = { worker, uses: 0 };
    this.#threads.add(thread);
    // Without a listener, the error of an idle thread would end the process.
    worker.on("error", () => {});
    worker.on("exit", () => {
      this.#threads.delete(thread);
      if (this.#idle.includes(thread)) this.#idle.splice(this.#idle.indexOf(thread), 1);
    });
    const started = await waitForEnd<null>(worker, START_MS);
    if (started.state === "done") return thread;
    await worker.terminate();
    throw new TollgateError("thread_failed", `no thread started: ${describeEnd(started)}`, {
      retryable: true,
    });
  }
}

function waitForEnd<Result>(worker: Worker, timeoutMs: number): Promise<WorkEnd<Result>> {
  const { promise, resolve } = Promise.withResolvers<WorkEnd<Result>>();
  const timer = setTimeout(resolve, timeoutMs, { state: "too_slow" });
  const onError = (error: Error): void =>
    resolve(
      "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? { state: "too_large" }
        : { state: "failed", problem: String(error) },
    );
  const onExit = (code: number): void =>
    resolve({ state: "failed", problem: `the thread ended with ${code}` });
  worker.on("message", resolve).on("error", onError).on("exit", onExit);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", resolve).off("error", onError).off("exit", onExit);
  });
}

const describeEnd = (end: Exclude<WorkEnd<unknown>, { state: "done" }>): string =>
  end.state === "failed" ? end.problem : end.state.replace("_", " ");

/** Most pieces of large work that wait: each has its bytes in memory. */
const MAX_WAITING = 10;

/**
 * Makes a function that does rare, large work, one piece after the other, each in a thread of its own, whose memory is free after it. It
 * rejects with TollgateError `thread_failed` when the thread fails or exceeds a limit, or when too much work waits. The pool is its own,
 * because the work has its own heap limit (512 MB for a body of the platform) and must not wait behind policies.
 */
export function createThreadFunction<Work, Result>({
  timeoutMs,
  ...options
}: LargeWorkOptions): (work: Work) => Promise<Result> {
  const pool = new ThreadPool<Work, Result>({ ...options, threads: 1, uses: 1 });
  return async (work) => {
    if (pool.waiting >= MAX_WAITING) throw createWorkError("too much work waits for it");
    const end = await pool.run(work, { timeoutMs });
    if (end.state === "done") return end.result;
    throw createWorkError(describeEnd(end));
  };
}

export interface LargeWorkOptions extends Pick<ThreadPoolOptions, "file" | "heapMb"> {
  readonly timeoutMs: number;
}

const createWorkError = (reason: string): TollgateError =>
  new TollgateError("thread_failed", `a thread could not do its work: ${reason}`);
