import { appendDecision } from "../store/audit/decisions.ts";
import { formatDecision, type StoredEvaluation, saveDecision } from "../store/evaluations.ts";
import { saveCommandOutcome } from "./approvals/save-outcome.ts";
import { enqueueBudgetPulls } from "./budgets/enqueue-pulls.ts";
import type { Decision } from "./decide.ts";
import type { CurrentHead, PullRun } from "./run/pull-run.ts";

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
  if (stored.evaluation.check.status !== "none") await appendVerdict(run, stored, now);
  if (!(await saveCommandOutcome(run, stored.evaluation, outcome))) return "superseded";
  if (saved.budgetsChanged) await enqueueBudgetPulls(deps, run.key);
  return "saved";
}

/** Appends the verdict to the decision chain, unless it repeats the last one. */
async function appendVerdict({ deps }: PullRun, stored: StoredEvaluation, now: Date): Promise<void> {
  const { pull, situation, check, checkName, policySources } = stored.evaluation;
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  const record = {
    kind: "verdict" as const,
    repositoryId: pull.repositoryId,
    number: pull.number,
    headSha: pull.headSha,
    baseRef: pull.baseRef,
    checkName,
    digest: stored.digest,
    situation: situation.kind,
    decision: formatDecision(check),
    policyBlobs: policySources.map(({ blob }) => blob),
    findings: findings.map(({ rule, outcome, subject }) => ({ rule, outcome, subject })),
  };
  await appendDecision(deps.db, record, now);
}
