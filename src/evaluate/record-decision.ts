import type { VerdictRecord } from "../store/audit/decision-record.ts";
import { appendDecision } from "../store/audit/decisions.ts";
import { formatDecision, type StoredEvaluation, saveDecision } from "../store/evaluations.ts";
import { savePolicy } from "../store/history/policies.ts";
import { saveCommandOutcome } from "./approvals/outcome.ts";
import type { Decision } from "./decide.ts";
import { enqueueBudgetPulls } from "./read-budget.ts";
import type { CurrentHead } from "./run/deps.ts";

/** `superseded`: a later evaluation of the lane has started. `overtaken`: budgets changed, so the decision must be made again. */
export type SaveOutcome = "saved" | "superseded" | "overtaken";

/**
 * Saves and audits a decision before anything is published, so that everything that GitHub shows is on
 * record.
 */
export async function recordDecision({ run }: CurrentHead, decision: Decision): Promise<SaveOutcome> {
  const { deps, fence, attempt } = run;
  const { stored, budgetVersion, outcome } = decision;
  if (attempt.signal.aborted) return "superseded";
  const now = new Date(deps.clock.now());
  const saved = await saveDecision(deps.db, stored, { fence, now, budgetVersion });
  if (saved.state !== "saved") return saved.state;
  const isDecided = stored.evaluation.check.status !== "none";
  if (isDecided && !(await appendDecision(deps.db, buildVerdictRecord(stored), now, fence)))
    return "superseded";
  if (!saved.isPolicyStored && decision.policy.state === "found")
    await savePolicy(deps.db, { policyBlobs: stored.policyBlobs, policy: decision.policy.policy }, now);
  if (!(await saveCommandOutcome(run, stored.evaluation, outcome))) return "superseded";
  if (saved.budgetsChanged) await enqueueBudgetPulls(deps, run.key);
  return "saved";
}

/** Builds the record of a verdict for the decision chain. */
export function buildVerdictRecord({ evaluation, digest }: StoredEvaluation): VerdictRecord {
  const { pull, situation, check, checkName, policySources, override } = evaluation;
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  return {
    kind: "verdict",
    repositoryId: pull.repositoryId,
    number: pull.number,
    headSha: pull.headSha,
    baseRef: pull.baseRef,
    checkName,
    digest,
    situation: situation.kind,
    decision: formatDecision(check),
    policyBlobs: policySources.map(({ blob }) => blob),
    findings: findings.map(({ rule, outcome, subject }) => ({ rule, outcome, subject })),
    ...(override && { override: override.id }),
  };
}
