import { suggest } from "../../kernel/suggest.ts";
import { buildReport } from "../../report/build.ts";
import { evaluateWithin } from "../evaluate/evaluate-policy.ts";
import type { Finding, MeasuredValue, UndecidedReason, Verdict } from "../model/finding.ts";
import type { Policy } from "../model/policy.ts";
import { mismatchWords } from "../scope/mismatch-words.ts";
import { ConditionRun } from "../when/condition-run.ts";
import { caseContext, caseFacts } from "./case-facts.ts";
import type { Case, ExpectedFinding } from "./case-schema.ts";

/** One thing in which a case came out otherwise than expected. */
export interface Difference {
  /** `verdict`, or a rule and what of it. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

export interface CaseResult {
  readonly name: string;
  readonly verdict: Verdict;
  /** Empty: as expected. */
  readonly differences: readonly Difference[];
}

/** Judges a case as a pull request is judged, and compares. */
export function evaluateCase(given: Case, policy: Policy, conditions = new ConditionRun()): CaseResult {
  const report = buildReport(caseFacts(given), { stages: policy.stages });
  const verdict = evaluateWithin(report, policy, { context: caseContext(given), conditions });
  const { verdict: kind, findings = {} } = given.expect;
  const rules = policy.rules.map(({ id }) => id);
  const differences = [
    ...(kind === undefined || kind === verdict.kind
      ? []
      : [{ what: "verdict", expected: kind, found: verdict.kind }]),
    ...Object.entries(findings).flatMap(([rule, expected]) =>
      rules.includes(rule)
        ? differencesOf(
            rule,
            asMapping(expected),
            verdict.findings.filter((finding) => finding.rule === rule),
          )
        : [noRule(rule, asMapping(expected), rules)],
    ),
    ...unexpected(verdict.findings, new Set(Object.keys(findings))),
  ];
  return { name: given.case, verdict, differences };
}

const asMapping = (expected: NonNullable<Case["expect"]["findings"]>[string]): ExpectedFinding =>
  typeof expected === "string" ? { outcome: expected } : expected;

/** A misspelt rule is silent about everything. */
function noRule(rule: string, { outcome }: ExpectedFinding, rules: readonly string[]): Difference {
  const meant = suggest(rule, rules);
  const found = `no rule is called so${meant === null ? "" : ` (did you mean ${meant}?)`}`;
  return { what: rule, expected: outcome, found };
}

/** Rules that nothing was expected of, and that do not hold. */
const unexpected = (findings: readonly Finding[], named: ReadonlySet<string>): readonly Difference[] => {
  const strangers = findings.filter(
    ({ rule, outcome }) => !["passed", "not_applicable"].includes(outcome) && !named.has(rule),
  );
  return [...Map.groupBy(strangers, ({ rule }) => rule)].map(([rule, own]) => ({
    what: rule,
    expected: "nothing",
    found: told(own),
  }));
};

function differencesOf(
  rule: string,
  { outcome, about, measured, message, because }: ExpectedFinding,
  findings: readonly Finding[],
): readonly Difference[] {
  const own = findings.filter((finding) => outcomeOf(finding) === outcome);
  if (own.length < least(outcome, findings))
    return [{ what: rule, expected: outcome, found: told(findings) }];
  const differs = (what: string, expected: string | undefined, found: string): readonly Difference[] =>
    expected === undefined || expected === found ? [] : [{ what: `${rule} ${what}`, expected, found }];
  const [first] = own;
  return [
    ...differs(
      "about",
      about === undefined ? undefined : listed(about),
      listed(own.flatMap(({ subject }) => subject ?? [])),
    ),
    ...differs("measured", measured, measuredText(first?.measured ?? null)),
    ...differs("message", message, first?.message ?? "none"),
    ...differs("because", because, (first?.because ?? []).map(becauseText).join(", ")),
  ];
}

/** A rule has passed where all of it has; other outcomes may be those of some stages alone. */
const least = (outcome: ExpectedFinding["outcome"], findings: readonly Finding[]): number =>
  outcome === "passed" ? Math.max(1, findings.length) : 1;

const listed = (names: readonly string[]): string => names.toSorted().join(", ");

/** A rule that is not applicable says nothing. */
function outcomeOf({ outcome, waiver }: Finding): ExpectedFinding["outcome"] {
  if (outcome === "not_applicable") return "silent";
  return waiver === null ? outcome : "waived";
}

const told = (findings: readonly Finding[]): string =>
  findings
    .map((finding) => {
      const { subject, measured, because, mismatch } = finding;
      const reasons = mismatch === undefined ? because.map(becauseText).join(", ") : mismatchWords(mismatch);
      const value = measured === null ? reasons : measuredText(measured);
      const about = subject === null ? "" : ` in ${subject}`;
      return `${outcomeOf(finding)}${about}${value === "" ? "" : `: ${value}`}`;
    })
    .join("; ");

/** What was measured, as an expectation writes it. */
function measuredText(measured: MeasuredValue | null): string {
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

function becauseText(because: UndecidedReason): string {
  if (because.kind === "unknown") return because.reason;
  if (because.kind === "condition_failed") return because.problem;
  return because.kind === "other_currency" ? `${because.found} for ${because.expected}` : because.kind;
}
