import type { Evaluation } from "../model/evaluation.ts";
import { listApprovalNeeds, selectNeededApprovers } from "./requests.ts";

/** Reviewers are named as in `ApprovalNeed`. */
export interface ReviewerPlan {
  /** Approvers whose approval is newly needed. */
  readonly added: readonly string[];
  /** Known reviewers whose approval is no longer needed. */
  readonly ended: readonly string[];
}

/** GitHub accepts no more requested reviewers of one pull request. */
const MAX_REVIEWERS = 15;

/**
 * Returns which reviewers become needed and which are not needed any more. `known`: those that earlier evaluations needed. Without
 * findings, and in drafts, nothing changes.
 */
export function planReviewers(evaluation: Evaluation, known: readonly string[]): ReviewerPlan {
  const isAsked = evaluation.requestReviewers === true;
  const needed = selectNeededApprovers(evaluation, known);
  const remaining = needed === "unknown" ? known : known.filter((one) => isAsked && needed.has(one));
  const wanted = isAsked ? listApprovalNeeds(evaluation).map(({ approver }) => approver) : [];
  const added = [...new Set(wanted)].filter((one) => !known.includes(one));
  return {
    added: added.slice(0, Math.max(0, MAX_REVIEWERS - remaining.length)),
    ended: known.filter((one) => !remaining.includes(one)),
  };
}
