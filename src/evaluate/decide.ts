import type { AllReadAttempts } from "../policy/decide/read-attempts.ts";
import { determineSituation } from "../policy/decide/situation.ts";
import type { EvaluationContext } from "../policy/model/context.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import type { Situation } from "../policy/model/situation.ts";
import { hasCheckRun } from "../store/check-runs.ts";
import type { StoredEvaluation } from "../store/evaluations.ts";
import type { LastApprovable } from "./approvals/approval-basis.ts";
import { decideApprovals } from "./approvals/decide-approvals.ts";
import type { CommandOutcome } from "./approvals/outcome.ts";
import {
  buildEvaluation,
  buildEvaluationContext,
  findFirstEvaluation,
  findLastApprovable,
} from "./build-evaluation.ts";
import { formatTaskOwner } from "./policy/policy-files.ts";
import { tryPolicyEdit } from "./policy/try-policy-edit.ts";
import { buildCheckTarget } from "./publish/check.ts";
import { parseOneShotApprovable } from "./publish/comment-content.ts";
import { readBudget } from "./read-budget.ts";
import type { DecisionBasis } from "./record-facts.ts";
import type { CurrentHead } from "./run/deps.ts";
import { holdForStack } from "./stack.ts";

/** The result of an evaluation. Nothing is saved or shown yet. */
export interface Decision {
  readonly stored: StoredEvaluation;
  /** The result of approvals and commands. */
  readonly outcome: CommandOutcome;
  /** Version of the budget use that the decision depends on; null: it depends on none. */
  readonly budgetVersion: number | null;
  readonly policy: LoadedPolicy;
  readonly attempts: AllReadAttempts;
  /** When the decision was made, ms since 1970. */
  readonly decidedMs: number;
}

/** Decides the situation, the approvals and the check. Writes nothing. */
export async function makeDecision(current: CurrentHead, basis: DecisionBasis): Promise<Decision> {
  const { run, head, before, sinceMs, stack } = current;
  const { policy, facts, report, attempts, approvalState, checkName, unshared } = basis;
  const decidedMs = run.deps.clock.now();
  const budget = await readBudget(run.deps, { key: run.key, policy, report, sinceMs });
  const context = buildEvaluationContext(head, {
    nowMs: decidedMs,
    budgetUse: budget?.use ?? null,
    isOneShot: run.deps.isOneShot,
    belowAuthors: stack?.authors ?? [],
  });
  const unapproved = await decideSituation(current, basis, context);
  const lastApprovable = findLastApprovable(head.pull, before) ?? findShownApprovable(current, checkName);
  const evaluatedSince = findFirstEvaluation(head.pull, policy, before)?.atMs ?? null;
  const at = { head, policy, report, context, situation: unapproved, lastApprovable, evaluatedSince };
  const { outcome, ...approved } = holdForStack(await decideApprovals(run, at, approvalState), stack);
  const policyEdit = basis.policyEdit === undefined ? await tryPolicyEdit(run, at) : basis.policyEdit;
  const stored = buildEvaluation(run.deps, {
    ...at,
    facts,
    ...approved,
    checkName,
    ...(unshared && { unshared }),
    ...(stack && { stack }),
    before,
    policyEdit,
  });
  return { stored, outcome, budgetVersion: budget?.version ?? null, policy, attempts, decidedMs };
}

/** Returns the approvable findings that an earlier CI job stated in the head's check; null: none. */
function findShownApprovable({ run, head }: CurrentHead, checkName: string): LastApprovable | null {
  if (!run.deps.isOneShot) return null;
  const { listedRun } = buildCheckTarget(run, head, checkName);
  const check = head.checks.find(({ id }) => id === listedRun?.checkRunId);
  return parseOneShotApprovable(check?.externalId ?? null, head.pull.baseRef);
}

/** Decides the situation before approvals. */
async function decideSituation(
  current: CurrentHead,
  { policy, facts, report, attempts, checkName }: DecisionBasis,
  context: EvaluationContext,
): Promise<Situation> {
  const { run, head, sinceMs } = current;
  const { operator, policies } = run.deps;
  return determineSituation({
    policy,
    facts,
    report,
    context,
    changedFiles: head.pull.paths,
    filesComplete: head.pull.pathsComplete,
    claimsComplete: head.claimsComplete,
    alwaysCheck: operator.alwaysCheck || (policy.state === "none" && (await hasCheck(current, checkName))),
    canWait: !run.deps.isOneShot,
    sinceMs,
    nowMs: context.nowMs,
    attempts,
    perform: policies.inForce,
    owner: formatTaskOwner(run.key.repositoryId),
  });
}

/**
 * Whether the head already has a check. Such a head always gets one; otherwise removing the policy would
 * leave a required check pending for ever.
 */
async function hasCheck({ run, head }: CurrentHead, checkName: string): Promise<boolean> {
  const target = buildCheckTarget(run, head, checkName);
  if (target.listedRun !== null) return true;
  return hasCheckRun(run.deps.db, target);
}
