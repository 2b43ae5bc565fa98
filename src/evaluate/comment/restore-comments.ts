import { computeBodyDigest, normalizeBody, updateComment } from "../../github/comments/comment-requests.ts";
import { deleteEarlierComment } from "../../github/comments/earlier-comment.ts";
import { readComment } from "../../github/comments/read-comment.ts";
import { HOUR_MS } from "../../kernel/clock.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { keepSignsTogether } from "../../render/sign-joiners.ts";
import {
  findCommentPurpose,
  findStoredAnswer,
  forgetChangedComment,
  listChangedComments,
  listRecentRestores,
  recordRestore,
} from "../../store/comment-problems.ts";
import { findComment, forgetEarlierComment, saveComment } from "../../store/comments.ts";
import type { CommentTarget } from "../publish/comment-target.ts";
import { type PublishOutcome, toFailedOutcome } from "../publish/write-in-turn.ts";
import type { JobDeps } from "../run/deps.ts";
import type { CommentResult } from "./settle-comment.ts";

/** Most restores within an hour on one pull request, so that repeated edits by others do not cause endless writes. */
const MAX_PER_HOUR = 10;

/**
 * Restores our comments that others changed: marks the report to be written again, restores the text of an answer, and deletes
 * an earlier report, whose text is not stored. It reads the comment first, so that a delivery about our own write causes no write.
 * A comment that cannot be restored now does not stop the others. `isRequested`: a person asked for it, so the hourly limit is ignored.
 */
export async function restoreComments(
  deps: JobDeps,
  target: CommentTarget,
  { isRequested, ...pull }: PullKey & { readonly isRequested: boolean },
): Promise<CommentResult> {
  const results: CommentResult[] = [];
  for (const changed of await listChangedComments(deps.db, pull)) {
    const untilMs = isRequested ? null : await findContestEnd(deps, pull);
    if (untilMs !== null) return { state: "contested", untilMs };
    const restored = await restoreComment(deps, target, { ...pull, commentId: changed.commentId });
    if (restored.state === "superseded") return restored;
    if (restored.state === "published") await forgetChangedComment(deps.db, pull, changed);
    results.push(restored);
  }
  return results.find(({ state }) => state !== "published") ?? PUBLISHED;
}

/**
 * Returns until when no further comment is restored, in ms since 1970; null: the hourly limit is not reached.
 */
async function findContestEnd(deps: JobDeps, pull: PullKey): Promise<number | null> {
  const restores = await listRecentRestores(deps.db, pull, new Date(deps.clock.now()));
  const decisive = restores.at(-MAX_PER_HOUR);
  return decisive === undefined ? null : decisive.getTime() + HOUR_MS;
}

type StoredCommentKey = PullKey & { readonly commentId: number };

const PUBLISHED: PublishOutcome = { state: "published" };

async function restoreComment(
  deps: JobDeps,
  target: CommentTarget,
  at: StoredCommentKey,
): Promise<PublishOutcome> {
  switch (await findCommentPurpose(deps.db, at, at.commentId)) {
    case "report":
      return invalidateReport(deps, target, at);
    case "earlier":
      return removeEarlier(deps, target, at);
    case "answer":
      return restoreAnswer(deps, target, at);
    case null:
      return PUBLISHED;
  }
}

/** Removes the stored digest, so that the publication writes the report again. */
async function invalidateReport(
  deps: JobDeps,
  { client }: CommentTarget,
  at: StoredCommentKey,
): Promise<PublishOutcome> {
  const known = await findComment(deps.db, at);
  if (known === null || known.digest === "") return PUBLISHED;
  const current = await readComment(client, at);
  if (!current.ok) return toFailedOutcome(current.failure);
  if (current.value !== null && computeBodyDigest(current.value) === known.digest) return PUBLISHED;
  const now = new Date(deps.clock.now());
  await recordRestore(deps.db, at, now);
  const { repositoryId, number } = at;
  await saveComment(deps.db, { repositoryId, number, ...known, digest: "" }, now);
  return PUBLISHED;
}

async function removeEarlier(
  deps: JobDeps,
  { client, isCurrent }: CommentTarget,
  at: StoredCommentKey,
): Promise<PublishOutcome> {
  const removed = await deleteEarlierComment(client, { ...at, isCurrent });
  if (!removed.ok) return toFailedOutcome(removed.failure);
  if (removed.value === "superseded") return { state: "superseded" };
  if (removed.value === "done") await recordRestore(deps.db, at, new Date(deps.clock.now()));
  await forgetEarlierComment(deps.db, at.repositoryId, at.commentId);
  return PUBLISHED;
}

/** Restores the text of an answer. A deleted answer is not created again. */
async function restoreAnswer(
  deps: JobDeps,
  { client, isCurrent, noteUnanswered }: CommentTarget,
  at: StoredCommentKey,
): Promise<PublishOutcome> {
  const answer = await findStoredAnswer(deps.db, at, at.commentId);
  if (answer === null) return PUBLISHED;
  const current = await readComment(client, at);
  if (!current.ok) return toFailedOutcome(current.failure);
  const body = keepSignsTogether(answer);
  if (current.value === null || normalizeBody(current.value) === normalizeBody(body)) return PUBLISHED;
  await recordRestore(deps.db, at, new Date(deps.clock.now()));
  const updated = await updateComment(client, { ...at, body, isCurrent, noteUnanswered }, at.commentId);
  if (updated.ok === "superseded") return { state: "superseded" };
  return updated.ok ? PUBLISHED : toFailedOutcome(updated.failure);
}
