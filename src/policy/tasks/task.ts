import type { Report } from "../../report/model/report.ts";
import type { Case } from "../cases/case-schema.ts";
import type { CaseResult } from "../cases/evaluate-case.ts";
import type { ChangedFiles } from "../expect/expectation.ts";
import type { ParsedPolicy, PolicyTexts } from "../file/parse.ts";
import type { GroupEntry, GroupSum } from "../merge-queue/group-entry.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { Verdict } from "../model/finding.ts";
import type { Expectation, Policy } from "../model/policy.ts";
import type { CostLimits } from "../when/cost.ts";

/** All tasks that read or evaluate a policy, with their inputs and results. Both are plain data. */
interface Tasks {
  readonly parse: { readonly input: PolicyTexts; readonly result: ParsedPolicy };
  readonly evaluate: { readonly input: EvaluateInput; readonly result: Verdict };
  readonly expect: { readonly input: ExpectInput; readonly result: readonly Expectation[] };
  readonly compare: { readonly input: CompareInput; readonly result: PolicyComparison };
  readonly group: { readonly input: GroupInput; readonly result: GroupSum };
  readonly case: { readonly input: CaseInput; readonly result: CaseResult };
}

export interface EvaluateInput {
  readonly report: Report;
  readonly policy: Policy;
  readonly context: EvaluationContext;
  /** True: the report's stage names come from another policy. */
  readonly rename?: true;
}

export interface ExpectInput {
  readonly all: readonly Expectation[];
  readonly files: ChangedFiles;
}

export interface CompareInput {
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly base: Policy;
  readonly edited: Policy;
}

export interface PolicyComparison {
  readonly from: Verdict["kind"];
  readonly to: Verdict["kind"];
  /** Steps that the conditions took. */
  readonly steps: number;
  /**
   * A condition was stopped because all conditions together exceeded their limit: the verdicts are not
   * usable.
   */
  readonly isCutOff: boolean;
}

export interface GroupInput {
  readonly policy: Policy;
  readonly entries: readonly GroupEntry[];
  readonly nowMs: number;
}

export interface CaseInput {
  readonly case: Case;
  readonly policy: Policy;
}

export type TaskKind = keyof Tasks;
export type TaskInput<Kind extends TaskKind> = Tasks[Kind]["input"];
export type TaskResult<Kind extends TaskKind> = Tasks[Kind]["result"];

export interface Task<Kind extends TaskKind = TaskKind> {
  readonly kind: Kind;
  readonly input: TaskInput<Kind>;
  /** The owner of the policy; owners take turns, so that no owner waits for all tasks of another. */
  readonly owner: string;
  readonly limits?: CostLimits;
}

/**
 * Performs a task where it can neither stall nor end the process. A task that exceeds its time or memory
 * limit results in an invalid policy or in undecided rules.
 *
 * @throws TollgateError `evaluation_busy` when too many tasks wait, `internal` when it cannot be performed
 */
export type PerformTask = <Kind extends TaskKind>(task: Task<Kind>) => Promise<TaskResult<Kind>>;
