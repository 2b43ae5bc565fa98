import { TollgateError } from "../kernel/errors.ts";
import type { Report } from "../report/model/report.ts";
import type { Case } from "./cases/case-schema.ts";
import type { CaseResult } from "./cases/evaluate-case.ts";
import { evaluateCase } from "./cases/evaluate-case.ts";
import { combineFindings, evaluateWithin } from "./evaluate-policy.ts";
import type { GroupEntry, GroupSum } from "./evaluate-sum.ts";
import { evaluateSum } from "./evaluate-sum.ts";
import type { ChangedFiles } from "./expectation.ts";
import { selectApplicable } from "./expectation.ts";
import type { ParsedPolicy, PolicyTexts } from "./file/parse.ts";
import { parsePolicy } from "./file/parse.ts";
import type { EvaluationContext } from "./model/context.ts";
import type { Finding, Verdict } from "./model/finding.ts";
import type { Expectation, Policy } from "./model/policy.ts";
import { buildFindings } from "./rules/findings.ts";
import { createUndecided } from "./rules/measurement.ts";
import { renameStages } from "./scope/scope.ts";
import type { ConditionRun } from "./when/condition-run.ts";
import type { CostLimits } from "./when/metered-evaluation.ts";

/** All tasks that read or evaluate a policy, with their inputs and results. Both are plain data. */
interface Tasks {
  readonly parse: { readonly input: PolicyTexts; readonly result: ParsedPolicy };
  readonly evaluate: {
    readonly input: {
      readonly report: Report;
      readonly policy: Policy;
      readonly context: EvaluationContext;
      /** True: the report's stage names come from another policy. */
      readonly rename?: true;
    };
    readonly result: Verdict;
  };
  readonly expect: {
    readonly input: { readonly all: readonly Expectation[]; readonly files: ChangedFiles };
    readonly result: readonly Expectation[];
  };
  /** Evaluates a report under two policies. */
  readonly compare: {
    readonly input: {
      readonly report: Report;
      readonly context: EvaluationContext;
      readonly base: Policy;
      readonly edited: Policy;
    };
    readonly result: {
      readonly from: Verdict["kind"];
      readonly to: Verdict["kind"];
      /** Steps that the conditions took. */
      readonly steps: number;
      /** A condition was stopped because all conditions together exceeded their limit: the verdicts are not usable. */
      readonly isCutOff: boolean;
    };
  };
  readonly group: {
    readonly input: {
      readonly policy: Policy;
      readonly entries: readonly GroupEntry[];
      readonly nowMs: number;
    };
    readonly result: GroupSum;
  };
  readonly case: {
    readonly input: { readonly case: Case; readonly policy: Policy };
    readonly result: CaseResult;
  };
}

export type TaskKind = keyof Tasks;
export type TaskInput<Kind extends TaskKind> = Tasks[Kind]["input"];
export type TaskResult<Kind extends TaskKind> = Tasks[Kind]["result"];

export interface Task<Kind extends TaskKind = TaskKind> {
  readonly kind: Kind;
  readonly input: TaskInput<Kind>;
  /** The owner of the policy: what exceeded a limit is not tried again for a while in its tasks. */
  readonly owner: string;
  readonly limits?: CostLimits;
}

/**
 * Performs a task where it can neither stall nor end the process. A task that exceeds its time or memory
 * limit results in an invalid policy or in undecided rules.
 *
 * @throws TollgateError `evaluation_busy` when a task of an edit waits too long, `internal` when it cannot be performed
 */
export type PerformTask = <Kind extends TaskKind>(task: Task<Kind>) => Promise<TaskResult<Kind>>;

type Performers = {
  readonly [Kind in TaskKind]: (input: TaskInput<Kind>, conditions: ConditionRun) => TaskResult<Kind>;
};

/** The function that performs each kind of task. */
export const PERFORMERS: Performers = {
  parse: (texts) => parsePolicy(texts),
  evaluate: evaluateInput,
  expect: ({ all, files }) => selectApplicable(files, all),
  compare: ({ report, context, base, edited }, conditions) => {
    const kindUnder = (policy: Policy) =>
      evaluateInput({ report, context, policy, rename: true }, conditions).kind;
    const [from, to] = [kindUnder(base), kindUnder(edited)];
    const { spent, isFileSpent } = conditions.meter;
    return { from, to, steps: spent, isCutOff: isFileSpent };
  },
  group: ({ policy, entries, nowMs }, conditions) => evaluateSum(policy, entries, { nowMs, conditions }),
  case: ({ case: testCase, policy }, conditions) => evaluateCase(testCase, policy, conditions),
};

function evaluateInput(
  { report, policy, context, rename }: TaskInput<"evaluate">,
  conditions: ConditionRun,
): Verdict {
  const effectiveReport = rename === true ? renameStages(report, policy.stages) : report;
  return evaluateWithin(effectiveReport, policy, { context, conditions });
}

type FallbackResults = {
  readonly [Kind in TaskKind]: (input: TaskInput<Kind>, problem: string) => TaskResult<Kind>;
};

/** The results of tasks that exceed their limits. They cost almost no time to compute. */
export const FALLBACK_RESULTS: FallbackResults = {
  parse: createUnreadPolicy,
  evaluate: ({ policy }, problem) => combineFindings(createUndecidedFindings(policy, problem)),
  // All expectations may apply, so all of them are awaited.
  expect: ({ all }) => all,
  compare: () => ({ from: "undecided", to: "undecided", steps: 0, isCutOff: true }),
  group: ({ policy }, problem) => ({ kind: "exceeded", findings: createUndecidedFindings(policy, problem) }),
  case: ({ case: testCase }, problem) => {
    throw new TollgateError("file_not_recognised", `the case ${JSON.stringify(testCase.case)}: ${problem}`);
  },
};

function createUnreadPolicy({ repository, organisation }: PolicyTexts, problem: string): ParsedPolicy {
  const file = (repository ?? organisation)?.file ?? "";
  const message = `the file could not be read: ${problem}`;
  return { state: "invalid", problems: [{ file, line: 1, column: 1, path: "", message }] };
}

function createUndecidedFindings({ rules }: Policy, problem: string): readonly Finding[] {
  const because = [{ kind: "condition_failed", problem }] as const;
  return rules.flatMap((rule) => buildFindings(rule, [createUndecided(because)]));
}
