import { digestOf, plainBody } from "../../github/comments/comment-requests.ts";
import { ownComments } from "../../github/comments/own-comments.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { unbroken } from "../../render/unbroken.ts";
import { answersOf, noteChanged } from "../../store/changed-comments.ts";
import { findComment, lastChecked, setChecked } from "../../store/comments.ts";
import type { CommentTarget } from "../publish/comment-target.ts";
import { type PublishOutcome, publishedAfter } from "../publish/outcome.ts";
import type { JobDeps } from "../run/deps.ts";

/** Time between two comparisons of our comments with GitHub's, in ms: a delivery may have been lost. */
const COMPARE_AGAIN_MS = 25 * 60_000;

/** Whether our comments are to be compared now. `asked`: a person asked for it. */
export async function comparisonDue(deps: JobDeps, pull: PullKey): Promise<"asked" | "due" | "not_yet"> {
  const checked = await lastChecked(deps.db, pull);
  if (checked === null) return "asked";
  if (checked === "never") return "not_yet";
  return deps.clock.now() - checked.getTime() >= COMPARE_AGAIN_MS ? "due" : "not_yet";
}

/**
 * Finds comments of ours that others changed without a delivery reaching us: a changed or deleted report, a changed answer. It only
 * records them.
 */
export async function compareComments(
  deps: JobDeps,
  { client }: CommentTarget,
  { repositoryId, number }: PullKey,
): Promise<PublishOutcome> {
  const pull = { repositoryId, number };
  const listed = await ownComments(client, { ...pull, others: [] });
  if (!listed.ok) return publishedAfter(listed.failure);
  const shown = new Map(listed.value.map(({ id, body }) => [id, body]));
  const [known, answers] = await Promise.all([findComment(deps.db, pull), answersOf(deps.db, pull)]);
  const now = new Date(deps.clock.now());
  if (known !== null && digestOf(shown.get(known.commentId) ?? "") !== known.digest)
    await noteChanged(deps.db, { ...pull, commentId: known.commentId }, now);
  for (const [commentId, answer] of answers) {
    const body = shown.get(commentId);
    if (body !== undefined && plainBody(body) !== plainBody(unbroken(answer)))
      await noteChanged(deps.db, { ...pull, commentId }, now);
  }
  await setChecked(deps.db, pull, now);
  return { state: "published" };
}
