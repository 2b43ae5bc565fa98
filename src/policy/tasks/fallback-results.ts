import { TollgateError } from "../../kernel/errors.ts";
import { combineFindings } from "../evaluate/evaluate-policy.ts";
import type { ParsedPolicy, PolicyTexts } from "../file/parse.ts";
import type { Finding } from "../model/finding.ts";
import type { Policy } from "../model/policy.ts";
import { buildFindings, sortMeasurements } from "../rules/findings.ts";
import type { TaskInput, TaskKind, TaskResult } from "./task.ts";

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
  const readings = sortMeasurements([{ subject: null, value: null, because }]);
  return rules.flatMap((rule) => buildFindings(rule, readings));
}
