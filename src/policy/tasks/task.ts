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

/** Everything that reads or evaluates a policy: what it is given, and what comes of it. Plain data both ways. */
interface Tasks {
  readonly parse: { readonly given: PolicyTexts; readonly result: ParsedPolicy };
  readonly evaluate: { readonly given: EvaluateInput; readonly result: Verdict };
  readonly expect: { readonly given: ExpectInput; readonly result: readonly Expectation[] };
  readonly compare: { readonly given: CompareInput; readonly result: PolicyComparison };
  readonly group: { readonly given: GroupInput; readonly result: GroupSum };
  readonly case: { readonly given: CaseInput; readonly result: CaseResult };
}

export interface EvaluateInput {
  readonly report: Report;
  readonly policy: Policy;
  readonly context: EvaluationContext;
  /** True: the report's stages have the names of another policy. */
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
  /** What the conditions took, in steps. */
  readonly steps: number;
  /** A condition was stopped for what the others took: the verdicts say nothing. */
  readonly isCutOff: boolean;
}

export interface GroupInput {
  readonly policy: Policy;
  readonly entries: readonly GroupEntry[];
  readonly nowMs: number;
}

export interface CaseInput {
  readonly given: Case;
  readonly policy: Policy;
}

export type TaskKind = keyof Tasks;
export type InputOf<Kind extends TaskKind> = Tasks[Kind]["given"];
export type ResultOf<Kind extends TaskKind> = Tasks[Kind]["result"];

export interface Task<Kind extends TaskKind = TaskKind> {
  readonly kind: Kind;
  readonly given: InputOf<Kind>;
  /** Whose policy it is: nobody's tasks wait for all tasks of somebody else. */
  readonly owner: string;
  readonly limits?: CostLimits;
}

/**
 * Performs a task where it can neither stall nor end the process. What takes too long or too much memory comes back as a policy
 * that is invalid, or as rules that are undecided.
 *
 * @throws TollgateError `evaluation_busy` when too many tasks wait, `internal` when it cannot be performed
 */
export type PerformTask = <Kind extends TaskKind>(task: Task<Kind>) => Promise<ResultOf<Kind>>;
