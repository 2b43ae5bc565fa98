import { TollgateError } from "../kernel/errors.ts";
import { joinReports } from "../report/join.ts";
import type { Fact } from "../report/model/facts.ts";
import type { Report } from "../report/model/report.ts";
import type { AttributesByRow } from "../report/model/resource-attributes.ts";
import { type CodeOwnersQuery, type FileOwners, findFileOwners } from "./approvals/code-owners.ts";
import type { Case } from "./cases/case-schema.ts";
import { type CaseResult, evaluateCase } from "./cases/evaluate-case.ts";
import { evaluatePolicy, toRuleAt } from "./evaluate-policy.ts";
import { evaluateSum, type GroupEntry, type GroupSum, type SumEvaluationOptions } from "./evaluate-sum.ts";
import { type ParsedPolicy, type PolicyTexts, parsePolicy } from "./file/parse.ts";
import type { CostLimits, EvaluationContext } from "./model/context.ts";
import {
  combineFindings,
  decideEffect,
  type Finding,
  listOwnApprovers,
  type Verdict,
} from "./model/finding.ts";
import type { ApproverGroup, CodeOwnersProblem, Expectation, Policy } from "./model/policy.ts";
import { buildFindings } from "./rules/findings.ts";
import { createUndecided } from "./rules/measurement.ts";
import { selectApplicable } from "./scope/mismatch.ts";
import { renameStages } from "./scope/scope.ts";
import type { ConditionRun } from "./when/condition-run.ts";

interface Performer<Input, Result> {
  perform(input: Input, conditions: ConditionRun): Result;
  /** The result where the task exceeds its limits; costs almost no time. */
  giveUp(input: Input, problem: string): Result;
}

const parse: Performer<PolicyTexts, ParsedPolicy> = {
  perform: parsePolicy,
  giveUp: ({ repository, organisation }, problem) => {
    const file = (repository ?? organisation)?.file ?? "";
    const message = `the file could not be read: ${problem}`;
    return { state: "invalid", problems: [{ file, line: 1, column: 1, path: "", message }] };
  },
};

interface EvaluateInput {
  readonly report: Report;
  readonly policy: Policy;
  readonly context: EvaluationContext;
  readonly attributes?: Fact<AttributesByRow>;
  /** True: the report's stage names come from another policy. */
  readonly rename?: true;
}

const evaluate: Performer<EvaluateInput, Verdict> = {
  perform: ({ report, policy, rename, ...options }, conditions) => {
    const effectiveReport = rename === true ? renameStages(report, policy.stages) : report;
    return evaluatePolicy(effectiveReport, policy, { ...options, conditions });
  },
  giveUp: ({ policy, context }, problem) =>
    combineFindings(createUndecidedFindings({ policy, nowMs: context.nowMs }, problem)),
};

interface ExpectInput {
  readonly all: readonly Expectation[];
  readonly context: EvaluationContext;
}

const expect: Performer<ExpectInput, readonly Expectation[]> = {
  perform: ({ all, context }) => selectApplicable(context, all),
  // All expectations may apply, so all of them are awaited.
  giveUp: ({ all }) => all,
};

interface CompareInput {
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly base: Policy;
  readonly edited: Policy;
}

interface Comparison {
  readonly from: Verdict["kind"];
  readonly to: Verdict["kind"];
  /** Who would have to approve what blocks under the edited policy. */
  readonly groups: readonly ApproverGroup[];
  /** Steps that the conditions took. */
  readonly steps: number;
  /** A condition was stopped because all conditions together exceeded their limit: the verdicts are not usable. */
  readonly isCutOff: boolean;
}

/** Evaluates a report under two policies. */
const compare: Performer<CompareInput, Comparison> = {
  perform: ({ base, edited, ...input }, conditions) => {
    const evaluateUnder = (policy: Policy) =>
      evaluate.perform({ ...input, policy, rename: true }, conditions);
    const [from, to] = [evaluateUnder(base), evaluateUnder(edited)];
    const groups = to.findings.filter((one) => decideEffect(one) === "block").flatMap(listOwnApprovers);
    const { spent, isFileSpent } = conditions.meter;
    return { from: from.kind, to: to.kind, groups, steps: spent, isCutOff: isFileSpent };
  },
  giveUp: () => ({ from: "undecided", to: "undecided", groups: [], steps: 0, isCutOff: true }),
};

interface GroupInput extends Omit<SumEvaluationOptions, "conditions"> {
  readonly policy: Policy;
  readonly entries: readonly GroupEntry[];
}

const group: Performer<GroupInput, GroupSum> = {
  perform: ({ policy, entries, ...evaluated }, conditions) =>
    evaluateSum(policy, entries, { ...evaluated, conditions }),
  giveUp: ({ policy, planned, nowMs }, problem) => ({
    kind: "exceeded",
    findings: createUndecidedFindings({ policy, nowMs }, problem),
    report: planned ?? joinReports([]),
  }),
};

const owners: Performer<CodeOwnersQuery, FileOwners | CodeOwnersProblem> = {
  perform: findFileOwners,
  giveUp: ({ file }) => ({ kind: "unreadable", file, reason: "too_slow" }),
};

const testCase: Performer<{ readonly case: Case; readonly policy: Policy }, CaseResult> = {
  perform: ({ case: given, policy }, conditions) => evaluateCase(given, policy, conditions),
  giveUp: ({ case: given }, problem) => {
    throw new TollgateError("file_not_recognised", `the case ${JSON.stringify(given.case)}: ${problem}`);
  },
};

/** All tasks that read or evaluate a policy. Inputs and results are plain data. */
export const TASKS = { parse, evaluate, expect, compare, group, owners, case: testCase };

export type TaskKind = keyof typeof TASKS;
type TaskInput<Kind extends TaskKind> = Parameters<(typeof TASKS)[Kind]["perform"]>[0];
type TaskResult<Kind extends TaskKind> = ReturnType<(typeof TASKS)[Kind]["perform"]>;

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

function createUndecidedFindings(
  { policy: { rules }, nowMs }: Pick<GroupInput, "policy" | "nowMs">,
  problem: string,
): readonly Finding[] {
  const undecided = createUndecided([{ kind: "condition_failed", problem }]);
  return rules.flatMap((rule) => buildFindings(toRuleAt(rule, nowMs), [undecided]));
}
