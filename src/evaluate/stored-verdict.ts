import { toSpanEnd } from "../kernel/fiscal-periods.ts";
import { isPassing } from "../policy/decide-check.ts";
import { decideEffect, type Finding } from "../policy/model/finding.ts";
import { joinPolicyBlobs, type LoadedPolicy } from "../policy/model/loaded-policy.ts";
import type { StoredEvaluation } from "../store/evaluations.ts";

/** Where a verdict has to be from. */
export interface EntryQuery {
  readonly repositoryId: number;
  readonly baseRef: string;
  readonly policy: LoadedPolicy;
}

/** Whether an evaluation is one of exactly this head under the current policy. */
export const isUpToDate = (
  { evaluation: { pull }, policyBlobs }: StoredEvaluation,
  { headSha, baseRef, policy }: EntryQuery & { readonly headSha: string },
): boolean => pull.headSha === headSha && pull.baseRef === baseRef && policyBlobs === joinPolicyBlobs(policy);

/** Whether a verdict lets a pull request merge now: a waiver, an approval or the period of a budget may have ended since, or a rule that only warned may block. */
export const hasPassed = (stored: StoredEvaluation, nowMs: number): boolean =>
  isPassing(stored.evaluation.check) &&
  getFindings(stored).every(
    (finding) =>
      (finding.waiver === null || nowMs < finding.waiver.untilMs) &&
      (decideEffect(finding) === "pass" || nowMs < (finding.enforceFromMs ?? Number.POSITIVE_INFINITY)),
  ) &&
  stored.evaluation.approvals.live.every(({ untilMs = nowMs + 1 }) => nowMs < untilMs) &&
  (stored.evaluation.context.budgetUse?.periods ?? []).every((period) => nowMs < toSpanEnd(period));

/** The findings of an evaluation that came to a verdict; otherwise none. */
export const getFindings = ({ evaluation: { situation } }: StoredEvaluation): readonly Finding[] =>
  situation.kind === "evaluated" ? situation.verdict.findings : [];
