import { hasNews, isReasonGone } from "../../policy/comment/news.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { StoredComment } from "../../store/comments.ts";
import { computeDigest } from "./digest.ts";

/**
 * Returns the content that a reader must know, independent of commit and execution: equal texts mean that
 * nothing changed.
 */
export function buildCommentContent({
  report,
  situation,
  approvals,
  override,
  policyEdit,
}: Evaluation): string {
  const stages = report.stages.map(
    ({ org, project, workspace, currency, before, after, change, state, counts, unpriced, usage }) => [
      [org, project, workspace],
      [currency, before, after, change, state],
      usage === undefined ? [counts, unpriced] : [counts, unpriced, usage],
    ],
  );
  const content = [situation, stages, approvals, policyEdit, ...(override === undefined ? [] : [override])];
  return computeDigest(content);
}

/**
 * Digest of the content and the commit: for a new commit, a comment that GitHub refused is retried at once.
 */
export const computeNewsDigest = (evaluation: Evaluation): string =>
  computeDigest([evaluation.pull.headSha, buildCommentContent(evaluation)]);

/** Whether a new comment is due: something changed, and the evaluation does not only wait. */
export function isFurtherCommentDue(
  evaluation: Evaluation,
  { known, content }: { readonly known: StoredComment | null; readonly content: string },
): boolean {
  if (known === null) return true;
  return known.content !== content && evaluation.situation.kind !== "waiting" && hasNews(evaluation);
}

/**
 * Whether the newest comment shows this evaluation: then no further comment is created, and a waiting state
 * is written to it.
 */
export function isShownBy(evaluation: Evaluation, known: StoredComment): boolean {
  const { commentMode: mode, situation } = evaluation;
  if (isWithdrawn(evaluation)) return false;
  if (mode === "update") return true;
  return (
    situation.kind !== "waiting" &&
    !isFurtherCommentDue(evaluation, { known, content: buildCommentContent(evaluation) })
  );
}

/**
 * Whether the comment is withdrawn: the reason for it has ended, and the policy requires no comment without a
 * reason. In the modes where each state has its own comment, earlier comments stay.
 */
export function isWithdrawn(evaluation: Evaluation): boolean {
  const { commentMode: mode, quiet, smallChange } = evaluation;
  return mode !== "new" && (quiet || smallChange !== undefined) && isReasonGone(evaluation);
}
