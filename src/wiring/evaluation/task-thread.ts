import type { PolicyTasks } from "../../evaluate/run/deps.ts";
import { type Clock, MINUTE_MS, systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PerformTask, Task, TaskKind } from "../../policy/task.ts";
import { FALLBACK_RESULTS } from "../../policy/task.ts";
import type { ConditionStop } from "../../policy/when/condition-run.ts";
import { type AttemptEnd, EvaluationThread, type ThreadLimits } from "./evaluation-thread.ts";

/** Performs tasks in a separate thread until it is closed. */
export interface TaskThread {
  readonly perform: PerformTask;
  close(): Promise<void>;
}

export type TaskThreadOptions = ThreadLimits & QueueLimits & { readonly clock?: Clock };

/**
 * Performs tasks one after the other in a separate thread. The thread is ended when a task exceeds its time
 * or memory limit.
 */
export function createTaskThread(options: TaskThreadOptions): TaskThread {
  const thread = new EvaluationThread(options);
  const queue = new FairQueue(options);
  const parts = { thread, stopped: new StoppedInputs(options.clock ?? systemClock), options };
  return {
    // The performer of this kind created the result.
    perform: ((task: Task) => queue.add(task.owner, () => performNow(task, parts))) as PerformTask,
    close: () => thread.close(),
  };
}

interface Parts {
  readonly thread: EvaluationThread;
  readonly stopped: StoppedInputs;
  readonly options: ThreadLimits;
}

/**
 * Performs a task. After a limit is exceeded, it is tried once more with the conditions before the one that
 * exceeded it; after a second time it gets the fallback result.
 */
async function performNow(task: Task, { thread, stopped, options }: Parts): Promise<unknown> {
  const { owner, kind } = task;
  const skipped = stopped.listProblems(owner);
  const known = skipped.size === 0 ? undefined : skipped.get(serializeTaskInput(task));
  if (known !== undefined) return giveUp(task, known);
  const attempt = (stop: ConditionStop | null) =>
    thread.attempt({ kind, input: task.input, limits: task.limits, stop, skipped });
  const first = await attempt(null);
  if (first.state === "done") return first.result;
  const problem = describeProblem(first, options);
  const second = kind === "parse" ? first : await attempt({ position: first.position, problem });
  if (second.state !== "done") {
    stopped.add(owner, serializeTaskInput(task), problem);
    return giveUp(task, problem);
  }
  if (second.stoppedAt !== null) stopped.add(owner, second.stoppedAt, problem);
  return second.result;
}

function giveUp({ kind, input }: Task, problem: string): unknown {
  // The input belongs to this kind of task; the compiler cannot follow the lookup by kind.
  const give = FALLBACK_RESULTS[kind as TaskKind] as (input: unknown, problem: string) => unknown;
  return give(input, problem);
}

/** Returns the part of a task's input that its owner controls, as text. */
function serializeTaskInput({ kind, input }: Task): string {
  if ("policy" in input) return `${kind} ${JSON.stringify(input.policy)}`;
  if ("all" in input) return `${kind} ${JSON.stringify(input.all)}`;
  return `${kind} ${JSON.stringify("edited" in input ? [input.base, input.edited] : input)}`;
}

type StoppedAttempt = Extract<AttemptEnd, { state: "too_slow" | "too_large" }>;

const describeProblem = ({ state }: StoppedAttempt, { timeoutMs, heapMb }: ThreadLimits): string =>
  state === "too_slow"
    ? `it took longer than ${timeoutMs / 1_000} seconds; make its loops and patterns shorter`
    : `it needed more than ${heapMb} MB of memory; make the lists that it builds shorter`;

interface QueueLimits {
  /** Most waiting jobs of one owner. */
  readonly perOwner: number;
  /** Longest wait of a job, in ms; null: unlimited. */
  readonly patienceMs: number | null;
}

interface Job {
  start(): void;
}

/** Runs one job at a time. Owners take turns, so that each waits for at most one job of each other owner. */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** By owner, in the order of turns. */
  readonly #waiting = new Map<string, Job[]>();
  #isBusy = false;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Runs a job when it is its owner's turn.
   *
   * @throws TollgateError `evaluation_busy`, retryable, when the job would wait too long
   */
  async add<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#turn(owner);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = this.#startNext();
    }
  }

  #turn(owner: string): Promise<void> {
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= this.#limits.perOwner) throw createBusyError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { patienceMs } = this.#limits;
    const timer =
      patienceMs === null
        ? undefined
        : setTimeout(() => {
            this.#leave(owner, job);
            reject(createBusyError());
          }, patienceMs);
    const job: Job = {
      start: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    this.#waiting.set(owner, [...own, job]);
    return promise;
  }

  #leave(owner: string, job: Job): void {
    const others = (this.#waiting.get(owner) ?? []).filter((one) => one !== job);
    if (others.length === 0) this.#waiting.delete(owner);
    else this.#waiting.set(owner, others);
  }

  /** Starts the next job; false: none waits. */
  #startNext(): boolean {
    const [first] = this.#waiting;
    if (first === undefined) return false;
    const [owner, [job, ...others]] = first;
    this.#waiting.delete(owner);
    if (others.length > 0) this.#waiting.set(owner, others);
    job?.start();
    return true;
  }
}

const createBusyError = (): TollgateError =>
  new TollgateError("evaluation_busy", "too many policies are to be evaluated at once", {
    hint: "Re-check in a minute.",
    retryable: true,
  });

/** How long an input that exceeded a limit is not tried again, in ms. */
const INPUT_LIFETIME_MS = 10 * MINUTE_MS;
/** Most inputs that are stored. */
const MAX_INPUTS = 1_000;

interface StoppedInput {
  readonly owner: string;
  readonly input: string;
  readonly problem: string;
  readonly untilMs: number;
}

/**
 * Inputs that exceeded a limit, by owner: they are not tried again for a while. They are stored in memory
 * only.
 */
class StoppedInputs {
  readonly #clock: Clock;
  #stopped: readonly StoppedInput[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(owner: string, input: string, problem: string): void {
    const stopped = { owner, input, problem, untilMs: this.#clock.now() + INPUT_LIFETIME_MS };
    this.#stopped = [...this.#stopped.slice(1 - MAX_INPUTS), stopped];
  }

  /** Returns the problem of each input of an owner. */
  listProblems(owner: string): ReadonlyMap<string, string> {
    if (this.#stopped.length === 0) return NONE;
    const nowMs = this.#clock.now();
    this.#stopped = this.#stopped.filter(({ untilMs }) => nowMs < untilMs);
    return new Map(
      this.#stopped.filter((one) => one.owner === owner).map(({ input, problem }) => [input, problem]),
    );
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

const HEAP_MB = 256;

/** Policies in force decide checks: their tasks may wait, and never wait for another policy's edits. */
const IN_FORCE: TaskThreadOptions = { timeoutMs: 30_000, heapMb: HEAP_MB, perOwner: 200, patienceMs: null };

/** The effect of a policy edit is only informative: a late result is dropped. */
const PROPOSED: TaskThreadOptions = { timeoutMs: 10_000, heapMb: HEAP_MB, perOwner: 2, patienceMs: 2_000 };

/** Starts two threads: one for policies in force, one for proposed policies. */
export function startPolicyTasks(): PolicyTasks & { close(): Promise<void> } {
  const [inForce, proposed] = [createTaskThread(IN_FORCE), createTaskThread(PROPOSED)];
  return {
    inForce: inForce.perform,
    proposed: proposed.perform,
    close: async () => {
      await Promise.all([inForce.close(), proposed.close()]);
    },
  };
}

/** Starts a thread for a command's tasks, and ends it afterwards. */
export async function withPolicyThread<T>(work: (perform: PerformTask) => Promise<T>): Promise<T> {
  const thread = createTaskThread(IN_FORCE);
  try {
    return await work(thread.perform);
  } finally {
    await thread.close();
  }
}
