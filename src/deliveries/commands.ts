import type { CommentEvent, ReviewEvent } from "../github/webhooks/payload/lane-event.ts";
import { enqueueLane } from "../queue/enqueue.ts";
import { formatLaneKey } from "../queue/lane-key.ts";
import { hasReviewApproval, isActing, recordCommand } from "../store/approvals/commands.ts";
import { findCommentPurpose, recordChangedComment } from "../store/comment-problems.ts";
import type { DeliveryDeps } from "./deps.ts";

/**
 * Handles a person's comment. A new comment is stored, and its lane reads the command. An edited or deleted
 * comment is never a command; it matters only where it gave an approval.
 */
export async function onComment(deps: DeliveryDeps, event: CommentEvent): Promise<void> {
  const { commentId: sourceId, nodeId, authorId } = event;
  if (event.action !== "created") await requestRestore(deps, event);
  return recordPersonText(deps, event, {
    source: "comment",
    sourceId,
    nodeId,
    authorId,
    isNew: event.action === "created",
  });
}

/** Restores a Tollgate comment that somebody edited or deleted, unless this happens repeatedly. */
async function requestRestore(
  deps: DeliveryDeps,
  { repository, number, commentId }: CommentEvent,
): Promise<void> {
  const key = { repositoryId: repository.id, number };
  if ((await findCommentPurpose(deps.db, key, commentId)) === null) return;
  await recordChangedComment(deps.db, { ...key, commentId }, new Date(deps.clock.now()));
  await deps.queue.enqueueComment(formatLaneKey({ kind: "pull", ...key }));
}

export function onReview(deps: DeliveryDeps, event: ReviewEvent): Promise<void> {
  if (event.objects) return recordObjection(deps, event);
  const { reviewId: sourceId, nodeId, authorId } = event;
  return recordPersonText(deps, event, {
    source: "review",
    sourceId,
    nodeId,
    authorId,
    isNew: event.action === "submitted",
  });
}

/**
 * Handles a review that requests changes. It overrules the same person's approving review; the lane reads
 * that.
 */
async function recordObjection(
  deps: DeliveryDeps,
  { repository, number, authorId }: ReviewEvent,
): Promise<void> {
  const key = { repositoryId: repository.id, number };
  if (authorId !== null && (await hasReviewApproval(deps.db, key, authorId)))
    await enqueueLane(deps, { kind: "pull", ...key });
}

interface PersonTextKey {
  readonly source: "comment" | "review";
  readonly sourceId: number;
  readonly nodeId: string;
  readonly authorId: number | null;
  readonly isNew: boolean;
}

async function recordPersonText(
  deps: DeliveryDeps,
  event: CommentEvent | ReviewEvent,
  { isNew, authorId, ...textKey }: PersonTextKey,
): Promise<void> {
  const key = { repositoryId: event.repository.id, number: event.number };
  if (isNew && authorId !== null)
    await recordCommand(deps.db, { ...key, ...textKey, authorId }, new Date(deps.clock.now()));
  if (!(await isActing(deps.db, { ...key, ...textKey }))) return;
  await enqueueLane(deps, { kind: "pull", ...key });
}
