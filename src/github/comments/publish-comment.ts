import type { InstallationClient } from "../client/installation-client.ts";
import { isOutcomeUnknown } from "../client/result.ts";
import type { WriteAnswer } from "../client/to-result.ts";
import {
  computeBodyDigest,
  createComment,
  deleteComment,
  normalizeBody,
  toWriteFailure,
  updateComment,
  type WrittenComment,
} from "./comment-requests.ts";
import type { CommentOutcome, CommentWrite, KnownComment } from "./comment-write.ts";
import { findOwnComment, listOwnComments, type OwnComment } from "./own-comments.ts";

/** Most duplicate comments that one publication deletes. */
const MAX_REMOVALS = 5;

/**
 * Makes the pull request carry exactly one Tollgate comment with this body, or none. One write when it is known by id; otherwise
 * our own comments are searched first, so that neither a lost answer nor a lost store doubles it. Comments of others are not changed.
 */
export async function publishComment(
  client: InstallationClient,
  write: CommentWrite,
): Promise<CommentOutcome> {
  const { known, body } = write;
  if (body === null) return removeComment(client, write);
  const digest = computeBodyDigest(body);
  if (known !== null && known.digest === digest) return { state: "unchanged", known, extraIds: [] };
  if (known === null) return createMissing(client, { ...write, body });
  const updated = await updateComment(client, { ...write, body }, known.commentId);
  if (updated.ok === true)
    return { state: "written", known: { commentId: known.commentId, digest }, extraIds: [] };
  const isGone = updated.ok === false && updated.failure.kind === "not_found";
  const { bodyIfDeleted = body } = write;
  return isGone ? createMissing(client, { ...write, body: bodyIfDeleted }) : toWriteFailure(updated);
}

type CommentText = CommentWrite & { readonly body: string };

/** Searches our own comments, and creates one if there is none. After a lost answer of the create they are searched once more. */
async function createMissing(client: InstallationClient, write: CommentText): Promise<CommentOutcome> {
  const found = await listOwnComments(client, write);
  if (!found.ok) return toWriteFailure(found);
  if (found.value.length > 0) return adoptComment(client, write, found.value);
  const created = await createComment(client, write);
  if (created.ok === true && client.marksComments) return removeRivals(client, write, created);
  if (created.ok !== false || !isOutcomeUnknown(created.failure))
    return toCreatedOutcome(created, write.body);
  const lost = await listOwnComments(client, write);
  if (!lost.ok) return toWriteFailure(lost);
  if (lost.value.length > 0) return adoptComment(client, write, lost.value);
  const again = await createComment(client, write);
  return again.ok === true ? removeRivals(client, write, again) : toCreatedOutcome(again, write.body);
}

/** Another job, or a request without an answer, may have created a comment since the search: of both, the older one stays. */
async function removeRivals(
  client: InstallationClient,
  write: CommentText,
  created: WriteAnswer<WrittenComment>,
): Promise<CommentOutcome> {
  const found = await listOwnComments(client, write);
  return found.ok && found.value.length > 1
    ? adoptComment(client, write, found.value)
    : toCreatedOutcome(created, write.body);
}

/** Keeps the oldest, because links point to it, and deletes the duplicates. */
async function adoptComment(
  client: InstallationClient,
  write: CommentText,
  own: readonly OwnComment[],
): Promise<CommentOutcome> {
  const [oldest, ...extra] = own;
  const { body } = write;
  if (oldest === undefined) return { state: "deleted" };
  const known: KnownComment = { commentId: oldest.id, digest: computeBodyDigest(body) };
  const updated =
    normalizeBody(oldest.body) === normalizeBody(body) ? null : await updateComment(client, write, oldest.id);
  if (updated !== null && updated.ok !== true) return toWriteFailure(updated);
  const extraIds = extra.slice(MAX_REMOVALS).map(({ id }) => id);
  for (const { id } of extra.slice(0, MAX_REMOVALS)) {
    if ((await deleteComment(client, write, id)).ok !== true) extraIds.push(id);
  }
  return { state: updated === null ? "unchanged" : "written", known, extraIds };
}

async function removeComment(client: InstallationClient, write: CommentWrite): Promise<CommentOutcome> {
  if (write.known === null) return { state: "deleted" };
  const { commentId } = write.known;
  const removed = await deleteComment(client, write, commentId);
  if (removed.ok === true) return { state: "deleted" };
  if (removed.ok === "superseded" || removed.failure.kind !== "not_found") return toWriteFailure(removed);
  const listed = await findOwnComment(client, { ...write, commentId });
  if (!listed.ok) return toWriteFailure(listed);
  return listed.value === null ? { state: "deleted" } : toWriteFailure(removed);
}

function toCreatedOutcome(answer: WriteAnswer<WrittenComment>, body: string): CommentOutcome {
  if (answer.ok !== true) return toWriteFailure(answer);
  return {
    state: "written",
    known: { commentId: answer.value.id, digest: computeBodyDigest(body) },
    extraIds: [],
  };
}
