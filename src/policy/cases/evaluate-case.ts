import { suggestChoice } from "../../kernel/suggest.ts";
import { buildReport } from "../../report/build.ts";
import { evaluateWithin } from "../evaluate/evaluate-policy.ts";
import type { Finding, MeasuredValue, UndecidedReason, Verdict } from "../model/finding.ts";
import type { Policy } from "../model/policy.ts";
import { describeMismatch } from "../scope/describe-mismatch.ts";
import { ConditionRun } from "../when/condition-run.ts";
import { buildCaseContext, buildCaseFacts } from "./case-facts.ts";
import type { Case, ExpectedFinding } from "./case-schema.ts";

/** One difference between the expected and the actual outcome of a case. */
export interface CaseDifference {
  /** `verdict`, or a rule and its member. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

export interface CaseResult {
  readonly name: string;
  readonly verdict: Verdict;
  /** Empty: the case came out as expected. */
  readonly differences: readonly CaseDifference[];
}

/** Evaluates a case like a pull request, and compares the outcome with the expectation. */
export function evaluateCase(testCase: Case, policy: Policy, conditions = new ConditionRun()): CaseResult {
  const report = buildReport(buildCaseFacts(testCase), { stages: policy.stages });
  const verdict = evaluateWithin(report, policy, { context: buildCaseContext(testCase), conditions });
  const { verdict: kind, findings = {} } = testCase.expect;
  const rules = policy.rules.map(({ id }) => id);
  const differences = [
    ...(kind === undefined || kind === verdict.kind
      ? []
      : [{ what: "verdict", expected: kind, found: verdict.kind }]),
    ...Object.entries(findings).flatMap(([rule, expected]) =>
      rules.includes(rule)
        ? compareFindings(
            rule,
            toMapping(expected),
            verdict.findings.filter((finding) => finding.rule === rule),
          )
        : [createUnknownRule(rule, toMapping(expected), rules)],
    ),
    ...listUnexpected(verdict.findings, new Set(Object.keys(findings))),
  ];
  return { name: testCase.case, verdict, differences };
}

const toMapping = (expected: NonNullable<Case["expect"]["findings"]>[string]): ExpectedFinding =>
  typeof expected === "string" ? { outcome: expected } : expected;

/** A misspelled rule id matches no finding. */
function createUnknownRule(
  rule: string,
  { outcome }: ExpectedFinding,
  rules: readonly string[],
): CaseDifference {
  const meant = suggestChoice(rule, rules);
  const found = `no rule is called so${meant === null ? "" : ` (did you mean ${meant}?)`}`;
  return { what: rule, expected: outcome, found };
}

/** Findings that did not pass and that the case does not expect. */
const listUnexpected = (
  findings: readonly Finding[],
  named: ReadonlySet<string>,
): readonly CaseDifference[] => {
  const strangers = findings.filter(
    ({ rule, outcome }) => !["passed", "not_applicable"].includes(outcome) && !named.has(rule),
  );
  return [...Map.groupBy(strangers, ({ rule }) => rule)].map(([rule, own]) => ({
    what: rule,
    expected: "nothing",
    found: describeFindings(own),
  }));
};

function compareFindings(
  rule: string,
  { outcome, about, measured, message, because }: ExpectedFinding,
  findings: readonly Finding[],
): readonly CaseDifference[] {
  const own = findings.filter((finding) => deriveCaseOutcome(finding) === outcome);
  if (own.length < countRequired(outcome, findings))
    return [{ what: rule, expected: outcome, found: describeFindings(findings) }];
  const differs = (what: string, expected: string | undefined, found: string): readonly CaseDifference[] =>
    expected === undefined || expected === found ? [] : [{ what: `${rule} ${what}`, expected, found }];
  const [first] = own;
  return [
    ...differs(
      "about",
      about === undefined ? undefined : joinNames(about),
      joinNames(own.flatMap(({ subject }) => subject ?? [])),
    ),
    ...differs("measured", measured, formatMeasured(first?.measured ?? null)),
    ...differs("message", message, first?.message ?? "none"),
    ...differs("because", because, (first?.because ?? []).map(describeReason).join(", ")),
  ];
}

/** A rule passes only where all its findings pass; other outcomes may apply to some stages alone. */
const countRequired = (outcome: ExpectedFinding["outcome"], findings: readonly Finding[]): number =>
  outcome === "passed" ? Math.max(1, findings.length) : 1;

const joinNames = (names: readonly string[]): string => names.toSorted().join(", ");

/** A rule that is not applicable is silent. */
function deriveCaseOutcome({ outcome, waiver }: Finding): ExpectedFinding["outcome"] {
  if (outcome === "not_applicable") return "silent";
  return waiver === null ? outcome : "waived";
}

const describeFindings = (findings: readonly Finding[]): string =>
  findings
    .map((finding) => {
      const { subject, measured, because, mismatch } = finding;
      const reasons =
        mismatch === undefined ? because.map(describeReason).join(", ") : describeMismatch(mismatch);
      const value = measured === null ? reasons : formatMeasured(measured);
      const about = subject === null ? "" : ` in ${subject}`;
      return `${deriveCaseOutcome(finding)}${about}${value === "" ? "" : `: ${value}`}`;
    })
    .join("; ");

/** The measured value, formatted as in an expectation. */
function formatMeasured(measured: MeasuredValue | null): string {
  switch (measured?.kind) {
    case undefined:
      return "";
    case "money":
      return `${measured.amount} ${measured.currency}`;
    case "percent":
      return `${measured.percent}%`;
    case "increase_from_zero":
      return "increase from zero";
    case "count":
      return String(measured.count);
    case "condition":
      return measured.count === null ? "" : String(measured.count);
  }
}

function describeReason(because: UndecidedReason): string {
  if (because.kind === "unknown") return because.reason;
  if (because.kind === "condition_failed") return because.problem;
  return because.kind === "other_currency" ? `${because.found} for ${because.expected}` : because.kind;
}
