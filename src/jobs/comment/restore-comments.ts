import type { Answer } from "../../github/client/answer.ts";
import { digestOf, update } from "../../github/comments/comment-requests.ts";
import { deleteEarlier } from "../../github/comments/earlier-comment.ts";
import { readComment } from "../../github/comments/read-comment.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PullKey } from "../../kernel/ids.ts";
import { unbroken } from "../../render/format/unbroken.ts";
import { answerWith, changedComments, markRestored, purposeOf } from "../../store/changed-comments.ts";
import { findComment, saveComment } from "../../store/comments.ts";
import { forgetEarlier } from "../../store/earlier-comments.ts";
import type { JobDeps } from "../deps.ts";
import type { CommentTarget } from "../publish/comment-target.ts";

/**
 * Takes back what others did to our own comments: the report is marked to be written again, an answer gets its words back, and an
 * earlier report, whose words are not kept, is deleted. What GitHub shows is compared first, so that an echo costs no write.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export async function restoreComments(deps: JobDeps, target: CommentTarget, pull: PullKey): Promise<void> {
  for (const changed of await changedComments(deps.db, pull)) {
    if (!(await restore(deps, target, { ...pull, commentId: changed.commentId }))) return;
    await markRestored(deps.db, pull, changed);
  }
}

type Place = PullKey & { readonly commentId: number };

/** False: a later run took over. */
async function restore(deps: JobDeps, target: CommentTarget, at: Place): Promise<boolean> {
  switch (await purposeOf(deps.db, at, at.commentId)) {
    case "report":
      await doubtReport(deps, target, at);
      return true;
    case "earlier":
      return removeEarlier(deps, target, at);
    case "answer":
      return restoreAnswer(deps, target, at);
    case null:
      return true;
  }
}

/** Without a digest the publication writes the report, wherever it belongs. */
async function doubtReport(deps: JobDeps, { client }: CommentTarget, at: Place): Promise<void> {
  const known = await findComment(deps.db, at);
  const shown = required(await readComment(client, at));
  if (known === null || (shown !== null && digestOf(shown) === known.digest)) return;
  const { repositoryId, number } = at;
  await saveComment(deps.db, { repositoryId, number, ...known, digest: "" }, new Date(deps.clock.now()));
}

async function removeEarlier(
  deps: JobDeps,
  { client, stillCurrent }: CommentTarget,
  at: Place,
): Promise<boolean> {
  if (required(await deleteEarlier(client, { ...at, stillCurrent })) === "superseded") return false;
  await forgetEarlier(deps.db, at.repositoryId, at.commentId);
  return true;
}

/** An answer that was deleted stays so: it says nothing any more. */
async function restoreAnswer(
  deps: JobDeps,
  { client, stillCurrent }: CommentTarget,
  at: Place,
): Promise<boolean> {
  const answer = await answerWith(deps.db, at, at.commentId);
  const shown = required(await readComment(client, at));
  if (answer === null || shown === null || shown === unbroken(answer)) return true;
  const written = await update(client, { ...at, body: unbroken(answer), stillCurrent }, at.commentId);
  if (written.ok === "superseded") return false;
  if (!written.ok && written.failure.kind !== "not_found") throw failed(written.failure.kind);
  return true;
}

function required<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw failed(answer.failure.kind);
}

const failed = (kind: string): TollgateError =>
  new TollgateError("github_failed", `GitHub did not let a comment be restored: ${kind}`, {
    retryable: true,
  });
