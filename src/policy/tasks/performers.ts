import { evaluateCase } from "../cases/evaluate-case.ts";
import { evaluateWithin } from "../evaluate/evaluate-policy.ts";
import { selectApplicable } from "../expect/expectation.ts";
import { parsePolicy } from "../file/parse.ts";
import { evaluateSum } from "../merge-queue/evaluate-sum.ts";
import type { Policy } from "../model/policy.ts";
import { renameStages } from "../scope/stage-names.ts";
import type { ConditionRun } from "../when/condition-run.ts";
import type { EvaluateInput, PolicyComparison, TaskInput, TaskKind, TaskResult } from "./task.ts";

type Performers = {
  readonly [Kind in TaskKind]: (input: TaskInput<Kind>, conditions: ConditionRun) => TaskResult<Kind>;
};

/** The function that performs each kind of task. */
export const PERFORMERS: Performers = {
  parse: (texts) => parsePolicy(texts),
  evaluate: evaluateInput,
  expect: ({ all, files }) => selectApplicable(files, all),
  compare: ({ report, context, base, edited }, conditions): PolicyComparison => {
    const kindUnder = (policy: Policy) =>
      evaluateInput({ report, context, policy, rename: true }, conditions).kind;
    const [from, to] = [kindUnder(base), kindUnder(edited)];
    const { spent, isFileSpent } = conditions.meter;
    return { from, to, steps: spent, isCutOff: isFileSpent };
  },
  group: ({ policy, entries, nowMs }, conditions) => evaluateSum(policy, entries, { nowMs, conditions }),
  case: ({ case: testCase, policy }, conditions) => evaluateCase(testCase, policy, conditions),
};

function evaluateInput({ report, policy, context, rename }: EvaluateInput, conditions: ConditionRun) {
  const effectiveReport = rename === true ? renameStages(report, policy.stages) : report;
  return evaluateWithin(effectiveReport, policy, { context, conditions });
}
