import { appendDecision } from "../store/audit/decisions.ts";
import {
  decisionText,
  type SavedDecision,
  type StoredEvaluation,
  saveDecision,
} from "../store/evaluations.ts";
import type { PullRun } from "./run/pull-run.ts";

/** Stores and audits before anything is shown, so that what GitHub shows can always be looked up here. */
export async function saveVerdict(
  { deps, fence, attempt }: PullRun,
  { kept, budgetVersion }: { readonly kept: StoredEvaluation; readonly budgetVersion: number | null },
): Promise<SavedDecision> {
  const now = new Date(deps.clock.now());
  if (attempt.signal.aborted) return { state: "superseded" };
  const saved = await saveDecision(deps.db, kept, { fence, now, budgetVersion });
  if (saved.state !== "saved" || kept.evaluation.check.status === "none") return saved;
  const { pull, situation, check, checkName, policySources } = kept.evaluation;
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  const record = {
    kind: "verdict" as const,
    repositoryId: pull.repositoryId,
    number: pull.number,
    headSha: pull.headSha,
    baseRef: pull.baseRef,
    checkName,
    digest: kept.digest,
    situation: situation.kind,
    decision: decisionText(check),
    policyBlobs: policySources.map(({ blob }) => blob),
    findings: findings.map(({ rule, outcome, subject }) => ({ rule, outcome, subject })),
  };
  await appendDecision(deps.db, record, now); // a repetition is not appended
  return saved;
}
