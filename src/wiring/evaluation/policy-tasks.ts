import { LRUCache } from "lru-cache";
import type { PolicyTasks } from "../../evaluate/run/deps.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { getCodeFile } from "../../package/shipped-files.ts";
import type { CostLimits } from "../../policy/model/context.ts";
import { type PerformTask, TASKS, type Task, type TaskKind } from "../../policy/task.ts";
import type { ConditionStop } from "../../policy/when/condition-run.ts";
import { ThreadPool, type WorkEnd, type WorkLimits } from "../thread-pool.ts";

/** An edit is evaluated beside a policy in force, and leaves one thread free for the next one. They start on demand. */
const THREADS = 3;
/** Attempts after which a thread is replaced: this releases the types that the expression library caches. */
const ATTEMPTS = 500;
/** Policies in force decide checks: their tasks wait as long as it takes. */
const IN_FORCE_MS = 30_000;
/** The effect of a policy edit is only informative: a late result is dropped. */
const PROPOSED_MS = 10_000;
const PATIENCE_MS = 2_000;

export interface PolicyThreadLimits {
  /** Time limit of one attempt at a task of a policy in force, in ms. */
  readonly timeoutMs?: number;
  /** Memory limit of a thread, in MB. */
  readonly heapMb?: number;
}

/** Starts the threads in which policies are read and evaluated. */
export function startPolicyTasks({
  timeoutMs = IN_FORCE_MS,
  heapMb = 256,
}: PolicyThreadLimits = {}): PolicyTasks & { close(): Promise<void> } {
  const file = getCodeFile("wiring/evaluation/policy-thread.ts");
  const pool: PolicyPool = new ThreadPool({ file, threads: THREADS, heapMb, uses: ATTEMPTS });
  const createPerformer = (limits: WorkLimits) => {
    // Of its own: what an edit exceeded is no reason to leave a rule in force undecided.
    const stopped: StoppedInputs = new LRUCache({ max: MAX_INPUTS, ttl: INPUT_LIFETIME_MS });
    // The performer of this kind created the result.
    return ((task: Task) => performTask(task, { pool, stopped, heapMb, limits })) as PerformTask;
  };
  return {
    inForce: createPerformer({ timeoutMs }),
    proposed: createPerformer({ timeoutMs: Math.min(timeoutMs, PROPOSED_MS), patienceMs: PATIENCE_MS }),
    close: () => pool.close(),
  };
}

export async function withPolicyThread<T>(work: (perform: PerformTask) => Promise<T>): Promise<T> {
  const tasks = startPolicyTasks();
  try {
    return await work(tasks.inForce);
  } finally {
    await tasks.close();
  }
}

export interface TaskAttempt {
  readonly kind: TaskKind;
  readonly input: unknown;
  readonly limits: CostLimits | undefined;
  readonly stop: ConditionStop | null;
  readonly skipped: ReadonlyMap<string, string>;
  /** Shared memory with the number of the condition being evaluated, which can be read while the thread is busy; 0: none. */
  readonly position: Int32Array<SharedArrayBuffer>;
}

export interface AttemptResult {
  readonly result: unknown;
  readonly stoppedAt: string | null;
}

type PolicyPool = ThreadPool<TaskAttempt, AttemptResult>;

/** How long an input that exceeded a limit is not tried again, in ms, and how many are remembered. */
const INPUT_LIFETIME_MS = 10 * MINUTE_MS;
const MAX_INPUTS = 1_000;

/** What exceeded a limit, by owner and input. */
type StoppedInputs = LRUCache<string, StoppedInput>;

interface StoppedInput {
  readonly owner: string;
  readonly input: string;
  readonly problem: string;
}

interface Parts {
  readonly pool: PolicyPool;
  readonly stopped: StoppedInputs;
  readonly heapMb: number;
  readonly limits: WorkLimits;
}

/**
 * Performs a task. After a limit is exceeded, it is tried once more with the conditions before the one that
 * exceeded it; after a second time it gets the fallback result.
 *
 * @throws TollgateError `evaluation_busy`, retryable, when the patience ends; `internal`, retryable, when the thread fails; what
 * `ThreadPool.run` throws
 */
async function performTask(task: Task, { pool, stopped, heapMb, limits }: Parts): Promise<unknown> {
  const { owner, kind } = task;
  const own = [...stopped.values()].filter((one) => one.owner === owner);
  const skipped = new Map(own.map(({ input, problem }) => [input, problem]));
  const known = skipped.size === 0 ? undefined : skipped.get(serializeTaskInput(task));
  if (known !== undefined) return giveUp(task, known);
  const position = new Int32Array(new SharedArrayBuffer(4));
  const attempt = async (stop: ConditionStop | null) => {
    const end = await pool.run(
      { kind, input: task.input, limits: task.limits, stop, skipped, position },
      limits,
    );
    if (end.state === "busy") throw createBusyError();
    if (end.state !== "failed") return end;
    throw new TollgateError("internal", "the thread that evaluates policies broke down", {
      retryable: true,
      cause: new Error(end.problem),
    });
  };
  const remember = (input: string, problem: string) =>
    stopped.set(`${owner} ${input}`, { owner, input, problem });
  const first = await attempt(null);
  if (first.state === "done") return first.result.result;
  const problem = describeProblem(first, limits.timeoutMs, heapMb);
  const second =
    kind === "parse" || kind === "owners"
      ? first
      : await attempt({ position: Atomics.load(position, 0), problem });
  if (second.state !== "done") {
    remember(serializeTaskInput(task), problem);
    return giveUp(task, problem);
  }
  const { result, stoppedAt } = second.result;
  if (stoppedAt !== null) remember(stoppedAt, problem);
  return result;
}

const createBusyError = (): TollgateError =>
  new TollgateError("evaluation_busy", "too many policies are to be evaluated at once", {
    hint: "Re-check in a minute.",
    retryable: true,
  });

function giveUp({ kind, input }: Task, problem: string): unknown {
  // The input belongs to this kind of task; the compiler cannot follow the lookup by kind.
  const give = TASKS[kind as TaskKind].giveUp as (input: unknown, problem: string) => unknown;
  return give(input, problem);
}

/** Returns the part of a task's input that its owner controls, as text. */
function serializeTaskInput({ kind, input }: Task): string {
  if ("policy" in input) return `${kind} ${JSON.stringify(input.policy)}`;
  if ("all" in input) return `${kind} ${JSON.stringify(input.all)}`;
  if ("paths" in input) return `${kind} ${input.text}`;
  return `${kind} ${JSON.stringify("edited" in input ? [input.base, input.edited] : input)}`;
}

type StoppedAttempt = Extract<WorkEnd<unknown>, { state: "too_slow" | "too_large" }>;

const describeProblem = ({ state }: StoppedAttempt, timeoutMs: number, heapMb: number): string =>
  state === "too_slow"
    ? `it took longer than ${timeoutMs / 1_000} seconds; make its loops and patterns shorter`
    : `it needed more than ${heapMb} MB of memory; make the lists that it builds shorter`;
