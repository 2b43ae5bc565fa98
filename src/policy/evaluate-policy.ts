import { compileGlob } from "../kernel/glob.ts";
import type { Fact } from "../report/model/facts.ts";
import type { Report, StageReport } from "../report/model/report.ts";
import { type AttributesByRow, UNREAD_ATTRIBUTES } from "../report/model/resource-attributes.ts";
import { narrowReport } from "../report/narrow.ts";
import { listUnseenDoubts } from "../report/totals.ts";
import type { EvaluationContext, RuleEvaluator } from "./model/context.ts";
import {
  combineFindings,
  decideEffect,
  type Finding,
  type PullMember,
  type Verdict,
} from "./model/finding.ts";
import {
  type Enforcement,
  type Limit,
  listScopeTags,
  type Policy,
  type Rule,
  type Scope,
} from "./model/policy.ts";
import { nameUnknownTags } from "./rules/doubts.ts";
import { buildFindings, createEmptyPass, createNotApplicable } from "./rules/findings.ts";
import type { MeasureInput, Measurement, RuleKind } from "./rules/measurement.ts";
import { RULE_KINDS } from "./rules/rule-kinds.ts";
import { findPartMismatch, findPullMismatch } from "./scope/mismatch.ts";
import {
  createPartNames,
  createStageNames,
  hasPatterns,
  narrowToScope,
  renameStages,
} from "./scope/scope.ts";
import { waiveFindings } from "./waivers.ts";
import { ConditionRun } from "./when/condition-run.ts";

interface EvaluateOptions {
  readonly context: EvaluationContext;
  /** Of the rows; absent: they were not read. */
  readonly attributes?: Fact<AttributesByRow>;
  /** The budget of all conditions. The organisation's rules come first, so that a repository's rules cannot exhaust it. */
  readonly conditions?: ConditionRun;
}

/**
 * Evaluates the rules on the report, within the remaining budget of conditions. A rule whose scope matches nothing of the pull request is
 * not applicable; a fact that a rule needs and that is not known makes it undecided.
 */
export function evaluatePolicy(
  report: Report,
  policy: Policy,
  { context, attributes = UNREAD_ATTRIBUTES, conditions = new ConditionRun() }: EvaluateOptions,
): Verdict {
  const { waivers, rules, stages, organisationStages, tags } = policy;
  const options = { context, attributes, conditions, tags };
  const own = createInputs(report, stages, options);
  const strict = rules.some(({ mandatory }) => mandatory)
    ? createStrictInputs(report, organisationStages, options)
    : own;
  const findings = rules.flatMap((written) => {
    const rule = toRuleAt(written, context.nowMs);
    const other = findPullMismatch(rule.scope, context);
    if (other !== null) return [createNotApplicable(rule, other)];
    const input = rule.mandatory ? strict : own;
    const ofRule = waiveFindings(rule, input.evaluateRule(rule, input.report), {
      ...input,
      context,
      waivers,
    });
    const missing = ofRule.every(hasPassed) ? findPartMismatch(rule.scope, { ...input, context }) : null;
    return missing === null ? ofRule : [createNotApplicable(rule, missing)];
  });
  return combineFindings(findings);
}

/** The rule as it is enforced at a time, ms since 1970: before its first day it only warns. */
export const toRuleAt = ({ enforceFromMs = 0, ...rule }: Rule, nowMs: number): Rule =>
  enforceFromMs <= nowMs ? rule : { ...rule, enforceFromMs, enforce: "warn", enforceIn: [] };

const hasPassed = ({ outcome }: Finding): boolean => outcome === "passed";

/** A repository names its stages freely; mandatory rules use the names of the organisation. */
const createStrictInputs = (report: Report, names: Policy["stages"], options: SharedInput) =>
  createInputs(renameStages(report, names), names, options);

function createInputs(report: Report, stages: Policy["stages"], options: SharedInput) {
  const names = createStageNames(report, stages);
  const evaluateRule = createRuleEvaluator({ ...options, names });
  return { report, names, partNames: createPartNames(report), evaluateRule };
}

/** What all rules read, beside the report. */
type SharedInput = Pick<MeasureInput, "context" | "attributes" | "tags" | "conditions">;
type RuleEvaluatorInput = SharedInput & Pick<MeasureInput, "names">;

/** Evaluates rules. */
function createRuleEvaluator(input: RuleEvaluatorInput): RuleEvaluator {
  const narrow = cacheByReport(narrowToScope);
  const split = cacheByReport(splitBySeverity);
  return (rule, report) => {
    const evaluatePart = ({ part, enforce }: SeverityPart): readonly Finding[] => {
      const own = enforce === rule.enforce ? rule : { ...rule, enforce, onUnknown: enforce };
      return isEmptiedPart(part, report) || isUnplanned(own, part)
        ? [createEmptyPass(own)]
        : buildFindings(own, measure(own, part, input));
    };
    const scopedReport = narrow(report, rule.scope);
    const parts = split(scopedReport, { enforceIn: rule.enforceIn, enforce: rule.enforce });
    const findings = parts.flatMap(evaluatePart);
    return findings.every(hasPassed) && parts.length > 1
      ? evaluatePart({ part: scopedReport, enforce: "warn" }).map(toPassed(rule))
      : findings;
  };
}

function measure(
  { limit, per, perTag, scope }: Rule,
  report: Report,
  input: RuleEvaluatorInput,
): readonly Measurement[] {
  // The table has a measure of exactly this kind; the compiler cannot infer it from a lookup.
  const kind = RULE_KINDS[limit.kind] as RuleKind;
  const measureInput = {
    ...input,
    limit,
    per,
    ...(perTag !== undefined && { perTag }),
    scope,
  } as MeasureInput;
  const keys = [...(perTag === undefined ? [] : [perTag]), ...listScopeTags(scope)];
  const measurements = kind.measure(report, measureInput);
  if (keys.length === 0) return measurements;
  return measurements.map((one) => {
    return { ...one, because: nameUnknownTags(one.because, report, { keys, kind: limit.kind }) };
  });
}

/** Rules with the same scope share the narrowed report: narrowing is slow, and the values for conditions are prepared once per report. */
function cacheByReport<Key, T>(make: (report: Report, key: Key) => T): (report: Report, key: Key) => T {
  const cache = new Map<Report, Map<string, T>>();
  return (report, key) => {
    const ofReport = cache.get(report) ?? new Map<string, T>();
    cache.set(report, ofReport);
    const text = JSON.stringify(key);
    const known = ofReport.get(text) ?? make(report, key);
    ofReport.set(text, known);
    return known;
  };
}

const toPassed =
  ({ enforce, onUnknown }: Rule) =>
  (finding: Finding): Finding =>
    finding.outcome === "passed" ? { ...finding, enforce, onUnknown } : finding;

/** Whether the scope leaves no part of the pull request, and no part is hidden or unread: the rule passes. */
const isEmptiedPart = (part: Report, report: Report): boolean =>
  part.stages.length === 0 && report.stages.length > 0 && listUnseenDoubts(report.refused).length === 0;

/** Whether a limit on the cost of plans has none to measure: it is stated that there is nothing to plan, and nothing is hidden. */
const isUnplanned = ({ limit: { kind } }: Rule, { stages, refused, nothingToPlan }: Report): boolean =>
  COSTS_OF_PLANS.has(kind) &&
  nothingToPlan !== undefined &&
  stages.length === 0 &&
  listUnseenDoubts(refused).length === 0;

const COSTS_OF_PLANS: ReadonlySet<Limit["kind"]> = new Set(["increase", "decrease", "percent", "total"]);

type Severities = Pick<Rule, "enforceIn" | "enforce">;

interface SeverityPart {
  readonly part: Report;
  readonly enforce: Enforcement;
}

/**
 * Splits the report by the effect of a violation. An execution without a known stage (it may not be shown, or
 * its stages could not be read) may be any stage, so it belongs to the part in which a violation blocks.
 */
function splitBySeverity(report: Report, rule: Severities): readonly SeverityPart[] {
  if (rule.enforceIn.length === 0) return [{ part: report, enforce: rule.enforce }];
  const getSeverity = createSeverityReader(rule);
  const isHidden = listUnseenDoubts(report.refused).length > 0;
  const parts = (["block", "warn"] as const).map((enforce): SeverityPart => {
    return {
      enforce,
      part: narrowReport(report, (stage) => (getSeverity(stage) === enforce ? "all" : "none")),
    };
  });
  const filled = parts.filter(
    ({ part, enforce }) => part.stages.length > 0 || (isHidden && enforce === "block"),
  );
  return filled.length > 0 ? filled : [{ part: report, enforce: rule.enforce }];
}

function createSeverityReader({ enforceIn, enforce }: Severities): (stage: StageReport) => Enforcement {
  const patterns = enforceIn.map((own) => ({ matches: compileGlob(own.stage), enforce: own.enforce }));
  return (stage) => {
    if (stage.isUnread === true) return "block";
    return patterns.find(({ matches }) => matches?.(stage.name))?.enforce ?? enforce;
  };
}

/**
 * The verdict where it is unknown whether rules apply to this pull request. A rule whose scope depends on an unknown fact is undecided,
 * unless it passes either way. For local files only: on GitHub unknown facts are in every scope, so that people can approve them.
 */
export function applyScopeDoubts(
  { findings }: Verdict,
  rules: readonly Rule[],
  context: EvaluationContext,
): Verdict {
  const doubted = new Map(rules.map(({ id, scope }) => [id, listUnknownMembers(scope, context)]));
  const own = [...Map.groupBy(findings, ({ rule }) => rule).values()];
  return combineFindings(
    own.flatMap((ofRule) => doubtFindings(ofRule, doubted.get(ofRule[0]?.rule ?? "") ?? [])),
  );
}

function doubtFindings(findings: readonly Finding[], members: readonly PullMember[]): readonly Finding[] {
  const open = findings.filter((finding) => decideEffect(finding) !== "pass");
  const first = open.find(({ enforce }) => enforce === "block") ?? open[0];
  if (first === undefined || members.length === 0) return findings;
  const because = [{ kind: "scope_unknown", members } as const, ...first.because];
  const nothing = { subject: null, others: 0, measured: null, message: null, items: [], waiver: null };
  return [{ ...first, ...nothing, outcome: "undecided", because }];
}

/** Members of a scope that depend on unknown facts of a pull request. */
function listUnknownMembers(
  scope: Scope | null,
  { author, labels, pathsComplete }: EvaluationContext,
): readonly PullMember[] {
  if (scope === null) return [];
  const known = { authors: author !== null, labels: labels !== null, paths: pathsComplete };
  return (["authors", "labels", "paths"] as const).filter(
    (member) => hasPatterns(member, scope) && !known[member],
  );
}
