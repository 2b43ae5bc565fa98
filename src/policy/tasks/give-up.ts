import { TollgateError } from "../../kernel/errors.ts";
import { verdictOf } from "../evaluate.ts";
import type { Finding } from "../finding.ts";
import { findingsOf, sortReadings } from "../findings.ts";
import type { ParsedPolicy, PolicyTexts } from "../parse.ts";
import type { Policy } from "../policy.ts";
import type { GivenOf, ResultOf, TaskKind } from "./task.ts";

type GivenUp = {
  readonly [Kind in TaskKind]: (given: GivenOf<Kind>, problem: string) => ResultOf<Kind>;
};

/** What comes of a task that cannot be performed within its limits. It costs next to nothing. */
export const GIVEN_UP: GivenUp = {
  parse: unread,
  evaluate: ({ policy }, problem) => verdictOf(undecidedUnder(policy, problem)),
  // What may be expected is waited for.
  expect: ({ all }) => all,
  compare: () => ({ from: "undecided", to: "undecided", steps: 0, isCutOff: true }),
  group: ({ policy }, problem) => ({ kind: "exceeded", findings: undecidedUnder(policy, problem) }),
  case: ({ given }, problem) => {
    throw new TollgateError("file_not_recognised", `the case ${JSON.stringify(given.case)}: ${problem}`);
  },
};

function unread({ repository, organisation }: PolicyTexts, problem: string): ParsedPolicy {
  const file = (repository ?? organisation)?.file ?? "";
  const message = `the file could not be read: ${problem}`;
  return { state: "invalid", problems: [{ file, line: 1, column: 1, path: "", message }] };
}

function undecidedUnder({ rules }: Policy, problem: string): readonly Finding[] {
  const because = [{ kind: "condition_failed", problem }] as const;
  const readings = sortReadings([{ subject: null, value: null, because }]);
  return rules.flatMap((rule) => findingsOf(rule, readings));
}
