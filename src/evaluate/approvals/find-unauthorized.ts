import { findLapse, type RuleFindings } from "../../policy/approvals/lapse.ts";
import type { Approval } from "../../policy/model/approval.ts";
import type { Rule } from "../../policy/model/policy.ts";
import type { PullRun } from "../run/pull-run.ts";
import type { ApprovalBasis } from "./approval-basis.ts";
import { type MembershipResult, readGroups, selectBlockingRules } from "./group-membership.ts";
import type { ApprovalState } from "./read-state.ts";

interface AuthorizationCheck {
  readonly basis: ApprovalBasis;
  readonly findings: RuleFindings;
  readonly state: ApprovalState;
}

/**
 * Returns the approvals whose approver is no longer authorized: without write access, or no longer in a group
 * that the approval needs. GitHub is asked only about approvals that a passing rule needs now. Only a
 * definite "no" ends an approval; an unknown answer ends none.
 *
 * @throws TollgateError `github_failed`, retryable, while GitHub asks us to wait
 */
export async function findUnauthorized(
  run: PullRun,
  inForce: readonly Approval[],
  { basis, findings, state }: AuthorizationCheck,
): Promise<readonly Approval[]> {
  const blocking = selectBlockingRules(findings);
  const found = await Promise.all(
    inForce.map(async (approval) => {
      const rules = blocking.filter(({ id }) => approval.covered.some(({ rule }) => rule === id));
      if (rules.length === 0 || findLapse(approval, findings) !== null) return [];
      const membership = await readGroups(run, {
        head: basis.head,
        approver: getCurrentApprover(approval, state),
        rules,
      });
      return isUnauthorized(approval, rules, membership) ? [approval] : [];
    }),
  );
  return found.flat();
}

/** Returns the approver's current login, because accounts are renamed. */
function getCurrentApprover(
  { id, approver }: Approval,
  { stored, texts }: ApprovalState,
): Approval["approver"] {
  const nodeId = stored.find(({ approval }) => approval.id === id)?.nodeId ?? "";
  return texts.get(nodeId)?.author ?? approver;
}

function isUnauthorized(
  { covered }: Approval,
  rules: readonly Rule[],
  membership: MembershipResult,
): boolean {
  if (membership.state !== "known") return membership.state === "denied";
  return rules.some((rule) => {
    const now = membership.getGroups(rule);
    const coveredRules = covered.find((own) => own.rule === rule.id)?.groups ?? [];
    return !membership.isUnknown(rule.id) && coveredRules.some((group) => !now.includes(group));
  });
}
