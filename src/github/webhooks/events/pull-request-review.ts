import { z } from "zod";
import { AtRepository, Id, ignored, place, reducer, Sha, wake } from "../payload.ts";

const Review = AtRepository.extend({
  action: z.string(),
  pull_request: z.object({ number: Id }),
  review: z.object({ id: Id, user: z.object({ id: Id }).nullable(), commit_id: Sha.nullish() }),
});

const Action = z.enum(["submitted", "edited", "dismissed"]);

export const pullRequestReview = reducer(Review, (payload) => {
  const action = Action.safeParse(payload.action);
  if (!action.success) return ignored("action");
  const { id: reviewId, user, commit_id } = payload.review;
  const by = { authorId: user?.id ?? null, commitSha: commit_id ?? null };
  const number = payload.pull_request.number;
  return wake({ kind: "review", ...place(payload), action: action.data, number, reviewId, ...by });
});
