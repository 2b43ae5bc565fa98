import { computeBodyDigest, normalizeBody } from "../../github/comments/comment-requests.ts";
import { listOwnComments } from "../../github/comments/own-comments.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { keepSignsTogether } from "../../render/sign-joiners.ts";
import { readAnswers, recordChangedComment } from "../../store/changed-comments.ts";
import { findCheckedAt, findComment, setCheckedAt } from "../../store/comments.ts";
import { addEarlierComments } from "../../store/earlier-comments.ts";
import { COMPARE_AGAIN_MS } from "../publish/check-comments.ts";
import type { CommentTarget } from "../publish/comment-target.ts";
import { type PublishOutcome, toFailedOutcome } from "../publish/outcome.ts";
import type { JobDeps } from "../run/deps.ts";

/** Whether our comments are to be compared now. `requested`: a person asked for it. */
export async function readComparisonState(
  deps: JobDeps,
  pull: PullKey,
): Promise<"requested" | "due" | "not_yet"> {
  const checked = await findCheckedAt(deps.db, pull);
  if (checked === null) return "requested";
  if (checked === "never") return "not_yet";
  return deps.clock.now() - checked.getTime() >= COMPARE_AGAIN_MS ? "due" : "not_yet";
}

/**
 * Finds Tollgate comments that others changed without a delivery: a changed or deleted report, a changed answer. Finds also those that
 * GitHub created after the answer was given up. It only records them.
 */
export async function compareComments(
  deps: JobDeps,
  { client }: CommentTarget,
  { repositoryId, number }: PullKey,
): Promise<PublishOutcome> {
  const pull = { repositoryId, number };
  const listed = await listOwnComments(client, { ...pull, others: [] });
  if (!listed.ok) return toFailedOutcome(listed.failure);
  const bodies = new Map(listed.value.map(({ id, body }) => [id, body]));
  const [known, answers] = await Promise.all([findComment(deps.db, pull), readAnswers(deps.db, pull)]);
  const now = new Date(deps.clock.now());
  if (known !== null && computeBodyDigest(bodies.get(known.commentId) ?? "") !== known.digest)
    await recordChangedComment(deps.db, { ...pull, commentId: known.commentId }, now);
  const late = listed.value.filter(
    ({ id, body }) => id !== known?.commentId && computeBodyDigest(body) === known?.unansweredDigest,
  );
  await addEarlierComments(deps.db, pull, { commentIds: late.map(({ id }) => id), now });
  for (const [commentId, answer] of answers) {
    const body = bodies.get(commentId);
    if (body !== undefined && normalizeBody(body) !== normalizeBody(keepSignsTogether(answer)))
      await recordChangedComment(deps.db, { ...pull, commentId }, now);
  }
  await setCheckedAt(deps.db, pull, now);
  return { state: "published" };
}
