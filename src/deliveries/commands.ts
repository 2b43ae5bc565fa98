import type { CommentEvent, ReviewEvent } from "../github/webhooks/payload/lane-event.ts";
import { enqueueLane } from "../queue/enqueue.ts";
import { laneKey } from "../queue/lane-key.ts";
import { approvesByReview, isActing, recordCommand } from "../store/approvals/commands.ts";
import { noteChanged, purposeOf } from "../store/changed-comments.ts";
import type { DeliveryDeps } from "./deps.ts";

/**
 * A person may have asked for something, or changed what they asked with. A new comment is kept and read when its lane runs;
 * an edited or deleted one never asks for anything, and matters only where it acts.
 */
export async function onComment(deps: DeliveryDeps, event: CommentEvent): Promise<void> {
  const { commentId: sourceId, nodeId, authorId } = event;
  if (event.action !== "created") await onChanged(deps, event);
  return onWritten(deps, event, {
    source: "comment",
    sourceId,
    nodeId,
    authorId,
    isNew: event.action === "created",
  });
}

/** Somebody edited or deleted a comment of ours: it is restored at once, unless that happens again and again. */
async function onChanged(deps: DeliveryDeps, { repository, number, commentId }: CommentEvent): Promise<void> {
  const key = { repositoryId: repository.id, number };
  if ((await purposeOf(deps.db, key, commentId)) === null) return;
  await noteChanged(deps.db, { ...key, commentId }, new Date(deps.clock.now()));
  await deps.queue.enqueueComment(laneKey({ kind: "pull", ...key }));
}

export function onReview(deps: DeliveryDeps, event: ReviewEvent): Promise<void> {
  if (event.objects) return onObjection(deps, event);
  const { reviewId: sourceId, nodeId, authorId } = event;
  return onWritten(deps, event, {
    source: "review",
    sourceId,
    nodeId,
    authorId,
    isNew: event.action === "submitted",
  });
}

/** A review that asks for changes matters to somebody whose approving review acts; the lane sees that it was overruled. */
async function onObjection(deps: DeliveryDeps, { repository, number, authorId }: ReviewEvent): Promise<void> {
  const key = { repositoryId: repository.id, number };
  if (authorId !== null && (await approvesByReview(deps.db, key, authorId)))
    await enqueueLane(deps, { kind: "pull", ...key });
}

interface PersonTextKey {
  readonly source: "comment" | "review";
  readonly sourceId: number;
  readonly nodeId: string;
  readonly authorId: number | null;
  readonly isNew: boolean;
}

async function onWritten(
  deps: DeliveryDeps,
  event: CommentEvent | ReviewEvent,
  { isNew, authorId, ...written }: PersonTextKey,
): Promise<void> {
  const key = { repositoryId: event.repository.id, number: event.number };
  if (isNew && authorId !== null)
    await recordCommand(deps.db, { ...key, ...written, authorId }, new Date(deps.clock.now()));
  if (!(await isActing(deps.db, { ...key, ...written }))) return;
  await enqueueLane(deps, { kind: "pull", ...key });
}
