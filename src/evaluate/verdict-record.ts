import type { VerdictRecord } from "../store/audit/decision-record.ts";
import { formatDecision, type StoredEvaluation } from "../store/evaluations.ts";

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
