import { type Clock, systemClock } from "../../kernel/clock.ts";
import { FALLBACK_RESULTS } from "../../policy/tasks/fallback-results.ts";
import type { PerformTask, Task, TaskKind } from "../../policy/tasks/task.ts";
import type { ConditionStop } from "../../policy/when/condition-run.ts";
import { type AttemptEnd, EvaluationThread, type ThreadLimits } from "./evaluation-thread.ts";
import { FairQueue, type QueueLimits } from "./fair-queue.ts";
import { StoppedInputs } from "./stopped-inputs.ts";

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
