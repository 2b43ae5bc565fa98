import { listUnseenDoubts } from "../../report/cost/totals.ts";
import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { Finding, Verdict } from "../model/finding.ts";
import type { Enforcement, Policy, Rule } from "../model/policy.ts";
import type { RuleEvaluator } from "../model/rule-evaluator.ts";
import {
  buildFindings,
  createEmptyPass,
  createNotApplicable,
  type SortedMeasurements,
  sortMeasurements,
} from "../rules/findings.ts";
import type { MeasureInput, RuleKind } from "../rules/rule-kind.ts";
import { RULE_KINDS } from "../rules/table.ts";
import { findPartMismatch, findPullMismatch } from "../scope/mismatch.ts";
import { createPartNames } from "../scope/part-names.ts";
import { narrowToScope } from "../scope/scope.ts";
import { createStageNames, renameStages } from "../scope/stage-names.ts";
import { waiveFindings } from "../waivers/waivers.ts";
import { ConditionRun } from "../when/condition-run.ts";
import { type SeverityPart, splitBySeverity } from "./severity.ts";

/**
 * Evaluates the rules on the report. A rule whose scope matches nothing of the pull request is not applicable; a fact that a
 * rule needs and that is not known makes it undecided.
 */
export const evaluatePolicy = (report: Report, policy: Policy, context: EvaluationContext): Verdict =>
  evaluateWithin(report, policy, { context, conditions: new ConditionRun() });

interface EvaluateOptions {
  readonly context: EvaluationContext;
  /** The budget of all conditions. The organisation's rules come first, so that a repository's rules cannot exhaust it. */
  readonly conditions: ConditionRun;
}

/** Evaluates the rules within the remaining budget of conditions. */
export function evaluateWithin(report: Report, policy: Policy, options: EvaluateOptions): Verdict {
  const { waivers, rules, stages, organisationStages } = policy;
  const { context } = options;
  const own = createInputs(report, stages, options);
  const strict = rules.some(({ mandatory }) => mandatory)
    ? createStrictInputs(report, organisationStages, options)
    : own;
  const findings = rules.flatMap((rule) => {
    const other = findPullMismatch(rule.scope, context);
    if (other !== null) return [createNotApplicable(rule, other)];
    const input = rule.mandatory ? strict : own;
    const findings = waiveFindings(rule, input.evaluateRule(rule, input.report), {
      ...input,
      context,
      waivers,
    });
    const missing = findings.every(hasPassed) ? findPartMismatch(rule.scope, { ...input, context }) : null;
    return missing === null ? findings : [createNotApplicable(rule, missing)];
  });
  return combineFindings(findings);
}

const hasPassed = ({ outcome }: Finding): boolean => outcome === "passed";

/** A repository names its stages freely; mandatory rules use the names of the organisation. */
const createStrictInputs = (report: Report, names: Policy["stages"], options: EvaluateOptions) =>
  createInputs(renameStages(report, names), names, options);

function createInputs(report: Report, stages: Policy["stages"], options: EvaluateOptions) {
  const names = createStageNames(report, stages);
  const evaluateRule = createRuleEvaluator({ ...options, names });
  return { report, names, partNames: createPartNames(report), evaluateRule };
}

/** The verdict of these findings, sorted worst first. */
export function combineFindings(findings: readonly Finding[]): Verdict {
  const ordered = WORST_FIRST.flatMap((effect) =>
    findings.filter((finding) => decideEffect(finding) === effect),
  );
  const [worst] = ordered;
  return { kind: worst === undefined ? "pass" : decideEffect(worst), findings: ordered };
}

/** The effect of one finding on the verdict when there is no worse one. An undecided rule that enforces `warn` warns. */
export function decideEffect(finding: Finding): Verdict["kind"] {
  const { outcome, enforce, onUnknown, approved, waiver } = finding;
  if (outcome === "passed" || outcome === "not_applicable") return "pass";
  if (outcome === "violated" && (approved || waiver !== null)) return "pass";
  if (enforce === "warn") return "warn";
  if (outcome === "violated") return "block";
  return onUnknown === "warn" ? "warn" : "undecided";
}

const WORST_FIRST: readonly Verdict["kind"][] = ["block", "undecided", "warn", "pass"];

type RuleEvaluatorInput = Pick<MeasureInput, "context" | "names" | "conditions">;

/** Evaluates rules; rules with the same scope and measure share their measurements. */
function createRuleEvaluator(input: RuleEvaluatorInput): RuleEvaluator {
  const narrowed = cacheByRule(
    (rule: Rule, report: Report) => narrowToScope(report, rule.scope),
    ({ scope }) => scope,
  );
  const parted = cacheByRule(splitBySeverity, ({ enforceIn, enforce }) => [enforceIn, enforce]);
  const read = cacheByRule(
    (rule: Rule, report: Report) => measureRule(rule, report, input),
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
      return isEmptiedPart(part, report) ? [createEmptyPass(own)] : buildFindings(own, read(own, part));
    };
    const scopedReport = narrowed(rule, report);
    const parts = parted(rule, scopedReport);
    const findings = parts.flatMap(evaluatePart);
    return findings.every(hasPassed) && parts.length > 1
      ? evaluatePart({ part: scopedReport, enforce: "warn" }).map(toPassed(rule))
      : findings;
  };
}

const toPassed =
  ({ enforce, onUnknown }: Rule) =>
  (finding: Finding): Finding =>
    finding.outcome === "passed" ? { ...finding, enforce, onUnknown } : finding;

/** Whether the scope leaves no part of the pull request, and no part is hidden or unread: the rule passes. */
const isEmptiedPart = (part: Report, report: Report): boolean =>
  part.stages.length === 0 && report.stages.length > 0 && listUnseenDoubts(report.refused).length === 0;

const withEnforce = (rule: Rule, enforce: Enforcement): Rule =>
  enforce === rule.enforce ? rule : { ...rule, enforce, onUnknown: enforce };

function measureRule(rule: Rule, report: Report, input: RuleEvaluatorInput): SortedMeasurements {
  const { limit, per, scope } = rule;
  // The table has a measure of exactly this kind for each kind of limit; the compiler cannot infer it from a
  // lookup.
  const kind = RULE_KINDS[limit.kind] as RuleKind;
  return sortMeasurements(kind.read(report, { ...input, limit, per, scope } as MeasureInput));
}

/** Caches the results of `make` by report and by the parts of the rule that they depend on. */
function cacheByRule<T>(
  make: (rule: Rule, report: Report) => T,
  getKey: (rule: Rule) => unknown,
): (rule: Rule, report: Report) => T {
  const cache = new Map<Report, Map<string, T>>();
  return (rule, report) => {
    const ofReport = cache.get(report) ?? new Map<string, T>();
    cache.set(report, ofReport);
    const key = JSON.stringify(getKey(rule));
    const known = ofReport.get(key) ?? make(rule, report);
    ofReport.set(key, known);
    return known;
  };
}
