import type { Approvals } from "../model/approval.ts";
import { combineFindings, type Finding, type Objection, type Verdict } from "../model/finding.ts";
import type { ApproverGroup, Rule } from "../model/policy.ts";
import type { ApprovedVerdict } from "./apply-approvals.ts";

/** Objections by the id of their rule. */
export type Objections = ReadonlyMap<string, readonly Objection[]>;

/** Whether changes that an approver of the rule requests hold the check. Where its approvers are undecided, anybody may be one. */
export const allowsObjections = ({ approve, objections }: Rule): boolean =>
  (approve?.objections ?? objections) === "block";

/** Returns the rules that objections can hold now. A rule for other pull requests, and one before its first day, are not among them. */
export function selectObjectionRules(rules: readonly Rule[], findings: readonly Finding[]): readonly Rule[] {
  const inForce = new Set(findings.filter(isInForce).map(({ rule }) => rule));
  return rules.filter((rule) => allowsObjections(rule) && inForce.has(rule.id));
}

const isInForce = ({ outcome, enforceFromMs }: Finding): boolean =>
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

/** Returns the verdict and the approvals with objections, which hold the check even where approvals cover the rule. */
export function applyObjections(
  { verdict, approvals }: ApprovedVerdict,
  objections: Objections,
): ApprovedVerdict {
  if (objections.size === 0) return { verdict, approvals };
  return { verdict: addObjections(verdict, objections), approvals: keepGateClosed(approvals) };
}

function addObjections({ findings }: Verdict, objections: Objections): Verdict {
  const seen = new Set<string>();
  return combineFindings(
    findings.map((finding) => {
      const own = seen.has(finding.rule) ? undefined : objections.get(finding.rule);
      seen.add(finding.rule);
      return own === undefined ? finding : { ...finding, objections: own };
    }),
  );
}

const keepGateClosed = ({ offer, ...approvals }: Approvals): Approvals =>
  offer === undefined ? approvals : { ...approvals, offer: { ...offer, opensGate: false } };
