import { unseen } from "../../report/cost/totals.ts";
import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { Finding, Verdict } from "../model/finding.ts";
import type { Enforce, Policy, Rule } from "../model/policy.ts";
import type { RuleEvaluator } from "../model/rule-evaluator.ts";
import {
  findingsOf,
  NOTHING_TO_SEE,
  notApplicable,
  type SortedMeasurements,
  sortMeasurements,
} from "../rules/findings.ts";
import type { MeasureInput, RuleKind } from "../rules/rule-kind.ts";
import { RULE_KINDS } from "../rules/table.ts";
import { partMismatch, pullMismatch } from "../scope/mismatch.ts";
import { within } from "../scope/scope.ts";
import { renamed, stageNames } from "../scope/stage-names.ts";
import { waive } from "../waivers/waivers.ts";
import { ConditionRun } from "../when/condition-run.ts";
import { type SeverityPart, stagesBySeverity } from "./severity.ts";

/**
 * What the rules say about the report. A rule whose scope matches nothing of the pull request is not applicable; a fact that a
 * rule needs and that is not known makes it undecided.
 */
export const evaluatePolicy = (report: Report, policy: Policy, context: EvaluationContext): Verdict =>
  evaluateWithin(report, policy, { context, conditions: new ConditionRun() });

interface Around {
  readonly context: EvaluationContext;
  /** What conditions may cost in all. The organisation's rules come first, so that no repository's can take it from them. */
  readonly conditions: ConditionRun;
}

/** The same, within what conditions may still cost. */
export function evaluateWithin(report: Report, policy: Policy, around: Around): Verdict {
  const { waivers, rules, stages, organisationStages } = policy;
  const { context } = around;
  const own = inputsFor(report, stages, around);
  const strict = rules.some(({ mandatory }) => mandatory)
    ? strictInputs(report, organisationStages, around)
    : own;
  const findings = rules.flatMap((rule) => {
    const other = pullMismatch(rule.scope, context);
    if (other !== null) return [notApplicable(rule, other)];
    const look = rule.mandatory ? strict : own;
    const findings = waive(rule, look.evaluateRule(rule, look.report), { ...look, context, waivers });
    const missing = findings.every(hasPassed) ? partMismatch(rule.scope, { ...look, context }) : null;
    return missing === null ? findings : [notApplicable(rule, missing)];
  });
  return verdictOf(findings);
}

const hasPassed = ({ outcome }: Finding): boolean => outcome === "passed";

/** A repository names its stages as it likes; what it cannot loosen goes by the names that the organisation gives. */
const strictInputs = (report: Report, names: Policy["stages"], around: Around) =>
  inputsFor(renamed(report, names), names, around);

function inputsFor(report: Report, stages: Policy["stages"], around: Around) {
  const names = stageNames(report, stages);
  return { report, names, evaluateRule: createRuleEvaluator({ ...around, names }) };
}

/** Findings in the order of their weight, and what they come to. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  const ordered = WORST_FIRST.flatMap((effect) => findings.filter((finding) => effectOf(finding) === effect));
  const [worst] = ordered;
  return { kind: worst === undefined ? "pass" : effectOf(worst), findings: ordered };
}

/** What one finding makes of the verdict when there is no worse one. An undecided rule that enforces `warn` warns. */
export function effectOf(finding: Finding): Verdict["kind"] {
  const { outcome, enforce, onUnknown, approved, waiver } = finding;
  if (outcome === "passed" || outcome === "not_applicable") return "pass";
  if (outcome === "violated" && (approved || waiver !== null)) return "pass";
  if (enforce === "warn") return "warn";
  if (outcome === "violated") return "block";
  return onUnknown === "warn" ? "warn" : "undecided";
}

const WORST_FIRST: readonly Verdict["kind"][] = ["block", "undecided", "warn", "pass"];

type SeenBy = Pick<MeasureInput, "context" | "names" | "conditions">;

/** Rules that look at the same things share what is read of them. */
function createRuleEvaluator(seen: SeenBy): RuleEvaluator {
  const narrowed = remembered(
    (rule: Rule, report: Report) => within(report, rule.scope),
    ({ scope }) => scope,
  );
  const parted = remembered(stagesBySeverity, ({ enforceIn, enforce }) => [enforceIn, enforce]);
  const read = remembered(
    (rule: Rule, report: Report) => readingsOf(rule, report, seen),
    ({ limit, per, scope }) => [
      limit.kind,
      "existing" in limit && limit.existing,
      per,
      "metric" in limit || "expression" in limit || limit.kind === "budget" || limit.kind === "missed-savings"
        ? [limit, scope]
        : null,
    ],
  );
  return (rule, report) => {
    const evaluatePart = ({ part, enforce }: SeverityPart): readonly Finding[] => {
      const own = withEnforce(rule, enforce);
      return isEmptied(part, report) ? [NOTHING_TO_SEE(own)] : findingsOf(own, read(own, part));
    };
    const seen = narrowed(rule, report);
    const parts = parted(rule, seen);
    const findings = parts.flatMap(evaluatePart);
    return findings.every(hasPassed) && parts.length > 1
      ? evaluatePart({ part: seen, enforce: "warn" }).map(asPassed(rule))
      : findings;
  };
}

const asPassed =
  ({ enforce, onUnknown }: Rule) =>
  (finding: Finding): Finding =>
    finding.outcome === "passed" ? { ...finding, enforce, onUnknown } : finding;

/** Nothing of the pull request is in the rule's scope, and nothing of it is hidden or unread: the rule holds. */
const isEmptied = (part: Report, report: Report): boolean =>
  part.stages.length === 0 && report.stages.length > 0 && unseen(report.refused).length === 0;

const withEnforce = (rule: Rule, enforce: Enforce): Rule =>
  enforce === rule.enforce ? rule : { ...rule, enforce, onUnknown: enforce };

function readingsOf(rule: Rule, report: Report, seen: SeenBy): SortedMeasurements {
  const { limit, per, scope } = rule;
  // The table holds for each kind of limit the reader of exactly that kind; the compiler cannot follow a lookup by it.
  const kind = RULE_KINDS[limit.kind] as RuleKind;
  return sortMeasurements(kind.read(report, { ...seen, limit, per, scope } as MeasureInput));
}

/** `make`'s results by report and by what of the rule they depend on. */
function remembered<T>(
  make: (rule: Rule, report: Report) => T,
  keyOf: (rule: Rule) => unknown,
): (rule: Rule, report: Report) => T {
  const kept = new Map<Report, Map<string, T>>();
  return (rule, report) => {
    const ofReport = kept.get(report) ?? new Map<string, T>();
    kept.set(report, ofReport);
    const key = JSON.stringify(keyOf(rule));
    const known = ofReport.get(key) ?? make(rule, report);
    ofReport.set(key, known);
    return known;
  };
}
