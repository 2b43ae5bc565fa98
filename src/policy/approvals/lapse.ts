import { canonicalJson } from "../../kernel/canonical-json.ts";
import { compare } from "../../kernel/money.ts";
import type { Report } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import type { Approval, ApprovalGround, ApprovedStage, CoveredRule, Lapse } from "../model/approval.ts";
import { type Finding, listOwnGroups, type MeasuredValue, type TagProblem } from "../model/finding.ts";
import type { Rule } from "../model/policy.ts";
import { hasCodeOwners } from "./code-owners.ts";

export interface RuleFindings {
  readonly rules: readonly Rule[];
  /** The findings of the rules, before approvals are applied. */
  readonly findings: readonly Finding[];
  readonly ground: ApprovalGround;
}

/** Why an approval is no longer in force for the current evaluation; null: it is in force. */
export function findLapse(approval: Approval, ruleFindings: RuleFindings): Lapse | null {
  const { ground } = ruleFindings;
  if (ground.contributors === null) return { kind: "contributors_unknown" };
  if (ground.contributors.has(approval.approver.id)) return { kind: "approver_contributed" };
  if (approval.untilMs !== undefined && approval.untilMs <= ground.nowMs) return { kind: "ended" };
  if (approval.baseRef !== ground.baseRef)
    return { kind: "retargeted", from: approval.baseRef, to: ground.baseRef };
  if (!isSameGround(approval.ground, ground.ground)) return { kind: "ground_changed" };
  const stranger = ruleFindings.findings.find(
    (finding) => isBlocking(finding) && !approval.violated.includes(finding.rule),
  );
  if (stranger !== undefined) return { kind: "other_rule_violated", rule: stranger.rule };
  for (const covered of approval.covered) {
    const lapse = findRuleLapse(approval, covered, ruleFindings);
    if (lapse !== null) return lapse;
  }
  return null;
}

/**
 * What an approver has to read before they approve: a later approval covers nothing else. Amounts of money are left out, because the
 * approver states how much at most. `isRedacted`: percentages and figures are left out too.
 */
export function selectApprovableContent(
  { rules, findings, ground }: RuleFindings,
  isRedacted: boolean,
): unknown {
  const blocking = findings.filter(isBlocking).map(({ others, rule, subject, measured, ...listed }) => ({
    rule,
    subject,
    measured: withoutAmount(measured, isRedacted),
    items: [...listCoveredItems(listed)].sort(),
    others,
    figures: hasNoSize(measured) && !isRedacted ? ground.figures : null,
  }));
  const ruleTexts = rules.filter(({ id }) => blocking.some(({ rule }) => rule === id)).map(serializeRule);
  return { blocking, ruleTexts, ground: ground.ground };
}

/** What an approval covers of a finding: its items, and each required tag that a listed resource misses. */
export const listCoveredItems = ({ items, tagProblems = [] }: Pick<Finding, "items" | "tagProblems">) => [
  ...items,
  ...tagProblems.map(({ item, key }) => `${item}${OF_TAG}${key}`),
];
const OF_TAG = ": tag ";

function withoutAmount(measured: MeasuredValue | null, isRedacted: boolean): unknown {
  if (measured?.kind === "money") return { ...measured, amount: null };
  return measured?.kind === "percent" && isRedacted ? null : measured;
}

export const isBlocking = ({ outcome, enforce, waiver }: Finding): boolean =>
  outcome === "violated" && enforce === "block" && waiver === null;

function findRuleLapse(
  approval: Approval,
  covered: CoveredRule,
  { rules, findings, ground }: RuleFindings,
): Lapse | null {
  const { rule } = covered;
  const inForce = rules.find(({ id }) => id === rule);
  if (inForce === undefined || serializeRule(inForce) !== covered.ruleText)
    return { kind: inForce && hasCodeOwners(inForce) ? "owners_changed" : "rule_changed", rule };
  const own = findings.filter((finding) => finding.rule === rule);
  if (own.some(({ outcome }) => outcome === "undecided")) return { kind: "fact_unknown", rule };
  for (const finding of own.filter(isBlocking)) {
    const lapse = findFindingLapse(approval, covered, finding, ground.figures);
    if (lapse !== null) return lapse;
  }
  return null;
}

/** Whether one of these groups approves the finding. */
export const isOfGroups = (finding: Finding, groups: readonly number[]): boolean =>
  listOwnGroups(finding).some((group) => groups.includes(group));

/**
 * A condition that counts nothing, and a rise from zero, have no size above the limit: an approval of them covers
 * exactly the current figures.
 */
export const hasNoSize = (measured: MeasuredValue | null): boolean =>
  measured?.kind === "increase_from_zero" || (measured?.kind === "condition" && measured.count === null);

function findFindingLapse(
  approval: Approval,
  covered: CoveredRule,
  finding: Finding,
  figures: string,
): Lapse | null {
  const { rule, measured } = finding;
  const { upTo } = approval;
  const before = covered.findings.find(({ subject }) => subject === finding.subject);
  // An unlisted subject may be any subject, so nobody can approve a truncated list.
  if (before === undefined || finding.others > 0) return { kind: "grown", rule };
  if (!isOfGroups(finding, covered.groups)) return null;
  const known = new Set(before.items);
  // A list of resources is cut: one that was behind its end moves up when another one is corrected.
  const isListed = ({ item }: TagProblem) => before.items.some((one) => one.startsWith(item + OF_TAG));
  const tagProblems = (finding.tagProblems ?? []).filter(isListed);
  if (listCoveredItems({ ...finding, tagProblems }).some((one) => !known.has(one)))
    return { kind: "grown", rule };
  if (hasNoSize(measured) && figures !== approval.figures) return { kind: "grown", rule };
  if (measured?.kind === "money") {
    const isWithin =
      upTo !== null && upTo.currency === measured.currency && compare(measured.amount, upTo.amount) <= 0;
    return isWithin ? null : { kind: "over_amount", rule };
  }
  return isMore(before.measured, measured) ? { kind: "grown", rule } : null;
}

/** Whether the measured value exceeds the approved one; incomparable values do. Money is compared with the approved amount instead. */
export function isMore(before: MeasuredValue | null, now: MeasuredValue | null): boolean {
  if (now === null) return false;
  if (before === null || before.kind !== now.kind) return true;
  switch (now.kind) {
    case "count":
      return before.kind === "count" && now.count > before.count;
    case "percent":
      return before.kind === "percent" && compare(now.percent, before.percent) > 0;
    case "condition":
      return before.kind === "condition" && (now.count ?? 0) > (before.count ?? 0);
    case "money":
    case "increase_from_zero":
      return now.kind === "money";
  }
}

/** The stages that a pull request touches, sorted. */
export const readGround = ({ stages }: Report): readonly ApprovedStage[] =>
  stages
    .map((stage) => ({ stage: buildStageKey(stage), currency: stage.currency }))
    .sort((a, b) => (a.stage < b.stage ? -1 : Number(a.stage > b.stage)));

/** The figures that a condition may depend on, as one text: equal for equal reports. */
export const serializeFigures = ({ totals, stages, changes }: Report): string =>
  canonicalJson([
    totals,
    stages.map(({ counts, before, after, change }) => [counts, before, after, change]),
    changes,
  ]);

const isSameGround = (a: readonly ApprovedStage[], b: readonly ApprovedStage[]): boolean =>
  a.length === b.length &&
  a.every(({ stage, currency }, index) => stage === b[index]?.stage && currency === b[index]?.currency);

/** The rule as one text: equal for equal rules, because the reader writes members in one order. */
export const serializeRule = ({ limit, per, perTag, scope, enforceIn, approve }: Rule): string =>
  JSON.stringify({ limit, per, perTag, scope, enforceIn, approve });
