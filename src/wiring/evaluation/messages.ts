import type { TaskKind } from "../../policy/tasks/task.ts";
import type { ConditionStop } from "../../policy/when/condition-run.ts";
import type { CostLimits } from "../../policy/when/cost.ts";
import type { ListPiece } from "./cut-lists.ts";

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
