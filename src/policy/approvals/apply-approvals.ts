import { combineFindings, decideEffect } from "../evaluate/evaluate-policy.ts";
import type { Approval, Approvals, MissingApproval } from "../model/approval.ts";
import type { Finding, Verdict } from "../model/finding.ts";
import { findLapse, type RuleFindings } from "./lapse.ts";
import { buildApprovalOffer } from "./offer.ts";

export interface ApprovedVerdict {
  readonly verdict: Verdict;
  readonly approvals: Approvals;
}

/**
 * The verdict with the approvals in force. A finding is approved when every group of its rule has as many different
 * approvers as it requires; an undecided finding never is.
 */
export function applyApprovals(approvals: readonly Approval[], ruleFindings: RuleFindings): ApprovedVerdict {
  const results = approvals.map((approval) => ({ approval, why: findLapse(approval, ruleFindings) }));
  const live = results.filter(({ why }) => why === null).map(({ approval }) => approval);
  const lapsed = results.flatMap(({ approval, why }) => (why === null ? [] : [{ approval, why }]));
  const missing = new Map<string, MissingApproval>();
  const findings = ruleFindings.findings.map((finding) => {
    if (decideEffect(finding) !== "block" || finding.approve === null) return finding;
    const open = listOpenGroups(finding, live);
    if (open.length === 0) return { ...finding, approved: true };
    missing.set(finding.rule, { rule: finding.rule, groups: open });
    return finding;
  });
  const open = [...missing.values()];
  const offer = buildApprovalOffer(ruleFindings, open, findings);
  return { verdict: combineFindings(findings), approvals: { live, lapsed, missing: open, offer } };
}

/** Groups of the finding's rule that lack approvals. One person may approve for several groups, and counts once in each. */
function listOpenGroups({ rule, approve }: Finding, live: readonly Approval[]): MissingApproval["groups"] {
  return (approve?.groups ?? []).flatMap(({ count }, group) => {
    const approvers = new Set(
      live
        .filter(({ covered }) => covered.some((own) => own.rule === rule && own.groups.includes(group)))
        .map(({ approver }) => approver.id),
    );
    return approvers.size >= count ? [] : [{ group, lacks: count - approvers.size }];
  });
}
