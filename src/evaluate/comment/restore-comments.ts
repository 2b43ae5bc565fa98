import { digestOf, plainBody, update } from "../../github/comments/comment-requests.ts";
import { deleteEarlier } from "../../github/comments/earlier-comment.ts";
import { readComment } from "../../github/comments/read-comment.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { unbroken } from "../../render/unbroken.ts";
import {
  answerWith,
  changedComments,
  forgetChanged,
  noteRestore,
  purposeOf,
  recentRestores,
} from "../../store/changed-comments.ts";
import { findComment, saveComment } from "../../store/comments.ts";
import { forgetEarlier } from "../../store/earlier-comments.ts";
import type { CommentTarget } from "../publish/comment-target.ts";
import { type PublishOutcome, publishedAfter } from "../publish/outcome.ts";
import type { JobDeps } from "../run/deps.ts";
import type { CommentResult } from "./settle-comment.ts";

/** Most restores within an hour on one pull request, so that repeated edits by others do not cause endless writes. */
const MOST_AN_HOUR = 10;
const HOUR_MS = 3_600_000;

/**
 * Restores our comments that others changed: marks the report to be written again, restores the text of an answer, and deletes
 * an earlier report, whose text is not stored. It reads the comment first, so that a delivery about our own write causes no write.
 * A comment that cannot be restored now does not stop the others. `asked`: a person asked for it, so the hourly limit is ignored.
 */
export async function restoreComments(
  deps: JobDeps,
  target: CommentTarget,
  { asked, ...pull }: PullKey & { readonly asked: boolean },
): Promise<CommentResult> {
  const results: CommentResult[] = [];
  for (const changed of await changedComments(deps.db, pull)) {
    const untilMs = asked ? null : await contestedUntil(deps, pull);
    if (untilMs !== null) return { state: "contested", untilMs };
    const restored = await restore(deps, target, { ...pull, commentId: changed.commentId });
    if (restored.state === "superseded") return restored;
    if (restored.state === "published") await forgetChanged(deps.db, pull, changed);
    results.push(restored);
  }
  return results.find(({ state }) => state !== "published") ?? DONE;
}

/** Until when nothing more is restored, ms since 1970; null: the hourly limit is not reached. */
async function contestedUntil(deps: JobDeps, pull: PullKey): Promise<number | null> {
  const restores = await recentRestores(deps.db, pull, new Date(deps.clock.now()));
  const decisive = restores.at(-MOST_AN_HOUR);
  return decisive === undefined ? null : decisive.getTime() + HOUR_MS;
}

type StoredCommentKey = PullKey & { readonly commentId: number };

const DONE: PublishOutcome = { state: "published" };

async function restore(deps: JobDeps, target: CommentTarget, at: StoredCommentKey): Promise<PublishOutcome> {
  switch (await purposeOf(deps.db, at, at.commentId)) {
    case "report":
      return doubtReport(deps, target, at);
    case "earlier":
      return removeEarlier(deps, target, at);
    case "answer":
      return restoreAnswer(deps, target, at);
    case null:
      return DONE;
  }
}

/** Removes the stored digest, so that the publication writes the report again. */
async function doubtReport(
  deps: JobDeps,
  { client }: CommentTarget,
  at: StoredCommentKey,
): Promise<PublishOutcome> {
  const known = await findComment(deps.db, at);
  if (known === null || known.digest === "") return DONE;
  const shown = await readComment(client, at);
  if (!shown.ok) return publishedAfter(shown.failure);
  if (shown.value !== null && digestOf(shown.value) === known.digest) return DONE;
  const now = new Date(deps.clock.now());
  await noteRestore(deps.db, at, now);
  const { repositoryId, number } = at;
  await saveComment(deps.db, { repositoryId, number, ...known, digest: "" }, now);
  return DONE;
}

async function removeEarlier(
  deps: JobDeps,
  { client, stillCurrent }: CommentTarget,
  at: StoredCommentKey,
): Promise<PublishOutcome> {
  const removed = await deleteEarlier(client, { ...at, stillCurrent });
  if (!removed.ok) return publishedAfter(removed.failure);
  if (removed.value === "superseded") return { state: "superseded" };
  if (removed.value === "done") await noteRestore(deps.db, at, new Date(deps.clock.now()));
  await forgetEarlier(deps.db, at.repositoryId, at.commentId);
  return DONE;
}

/** A deleted answer is not created again. */
async function restoreAnswer(
  deps: JobDeps,
  { client, stillCurrent }: CommentTarget,
  at: StoredCommentKey,
): Promise<PublishOutcome> {
  const answer = await answerWith(deps.db, at, at.commentId);
  if (answer === null) return DONE;
  const shown = await readComment(client, at);
  if (!shown.ok) return publishedAfter(shown.failure);
  const body = unbroken(answer);
  if (shown.value === null || plainBody(shown.value) === plainBody(body)) return DONE;
  await noteRestore(deps.db, at, new Date(deps.clock.now()));
  const written = await update(client, { ...at, body, stillCurrent }, at.commentId);
  if (written.ok === "superseded") return { state: "superseded" };
  return written.ok ? DONE : publishedAfter(written.failure);
}
