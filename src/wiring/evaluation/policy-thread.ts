import { TASKS } from "../../policy/task.ts";
import { ConditionRun } from "../../policy/when/condition-run.ts";
import { answerWork } from "../answer-work.ts";
import type { AttemptResult, TaskAttempt } from "./policy-tasks.ts";

answerWork(({ kind, input, limits, stop, skipped, position }: TaskAttempt): AttemptResult => {
  const conditions = new ConditionRun({
    ...(limits !== undefined && { limits }),
    stop,
    skipped,
    onPosition: (now) => Atomics.store(position, 0, now),
  });
  // The input belongs to this kind of task; the compiler cannot follow the lookup by kind.
  const performer = TASKS[kind].perform as (input: unknown, conditions: ConditionRun) => unknown;
  return { result: performer(input, conditions), stoppedAt: conditions.stoppedAt };
});
