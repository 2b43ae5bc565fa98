import { z } from "zod";
import { ReviewEvent } from "../payload/lane-event.ts";
import {
  AtRepository,
  createReducer,
  getRepositoryFields,
  Id,
  ignored,
  Label,
  laneEvent,
  Sha,
} from "../payload/payload.ts";

const Review = AtRepository.extend({
  action: z.string(),
  pull_request: z.object({ number: Id }),
  review: z.object({
    id: Id,
    node_id: Label,
    state: z.string(),
    user: z.object({ id: Id, type: z.string().default("User") }).nullable(),
    commit_id: Sha.nullish(),
  }),
});

/** Reduces reviews: approving ones of people, changes to them, and later change requests of the same person. */
export const pullRequestReview = createReducer(Review, (payload) => {
  const action = ReviewEvent.shape.action.safeParse(payload.action);
  if (!action.success) return ignored("action");
  const { id: reviewId, node_id: nodeId, user, commit_id, state } = payload.review;
  const isNew = action.data === "submitted";
  const objects = isNew && state.toLowerCase() === "changes_requested";
  if (isNew && ((!objects && state.toLowerCase() !== "approved") || user?.type !== "User"))
    return ignored("unchanged");
  return laneEvent({
    kind: "review",
    ...getRepositoryFields(payload),
    action: action.data,
    number: payload.pull_request.number,
    reviewId,
    nodeId,
    authorId: user?.id ?? null,
    commitSha: commit_id ?? null,
    objects,
  });
});
