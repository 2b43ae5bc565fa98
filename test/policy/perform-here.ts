import type { PerformTask, Task } from "../../src/policy/task.ts";
import { TASKS } from "../../src/policy/task.ts";
import { ConditionRun } from "../../src/policy/when/condition-run.ts";

/** Performs tasks without a thread, for tests of what is done with the results. */
export const performHere: PerformTask = (async ({ kind, input: given, limits }: Task) => {
  const perform = TASKS[kind].perform as (given: unknown, conditions: ConditionRun) => unknown; // of its kind
  return perform(structuredClone(given), new ConditionRun(limits === undefined ? {} : { limits }));
}) as PerformTask; // the performer of a kind makes its results
