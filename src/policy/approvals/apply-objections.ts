import type { Approvals } from "../model/approval.ts";
import { combineFindings, type Finding, type Objection, type Verdict } from "../model/finding.ts";
import type { ApproverGroup, Rule } from "../model/policy.ts";
import type { ApprovedVerdict } from "./apply-approvals.ts";

/** Objections by the id of their rule. */
export type Objections = ReadonlyMap<string, readonly Objection[]>;

/** Whether changes that an approver of the rule requests hold the check. Where its approvers are undecided, anybody may be one. */
export const hearsObjections = ({ approve, objections }: Rule): boolean =>
  (approve?.objections ?? objections) === "block";

/** The rules that objections hold now: not one for other pull requests, nor one before its first day. */
export function selectObjectionRules(rules: readonly Rule[], findings: readonly Finding[]): readonly Rule[] {
  const judging = new Set(findings.filter(isJudging).map(({ rule }) => rule));
  return rules.filter((rule) => hearsObjections(rule) && judging.has(rule.id));
}

const isJudging = ({ outcome, enforceFromMs }: Finding): boolean =>
  outcome !== "not_applicable" && enforceFromMs === undefined;

/**
 * The objection of somebody who requested changes against a rule; null: they may not approve it. `isNamed`: whether they are one of a group,
 * `unclear` where GitHub did not say.
 */
export function findObjection(
  rule: Rule,
  by: NonNullable<Objection["by"]>,
  isNamed: (group: ApproverGroup) => "named" | "not_named" | "unclear",
): Objection | null {
  const rights = rule.approve?.groups.map(isNamed) ?? ["unclear"];
  if (rights.includes("named")) return { by };
  return rights.includes("unclear") ? { by, unclear: true } : null;
}

/** The verdict and the offer of approvals under objections: they hold the check although approvals cover the rule. */
export function applyObjections(
  { verdict, approvals }: ApprovedVerdict,
  objections: Objections,
): ApprovedVerdict {
  if (objections.size === 0) return { verdict, approvals };
  return { verdict: objectTo(verdict, objections), approvals: withoutOpening(approvals) };
}

function objectTo({ findings }: Verdict, objections: Objections): Verdict {
  const seen = new Set<string>();
  return combineFindings(
    findings.map((finding) => {
      const own = seen.has(finding.rule) ? undefined : objections.get(finding.rule);
      seen.add(finding.rule);
      return own === undefined ? finding : { ...finding, objections: own };
    }),
  );
}

const withoutOpening = ({ offer, ...approvals }: Approvals): Approvals =>
  offer === undefined ? approvals : { ...approvals, offer: { ...offer, opensGate: false } };
