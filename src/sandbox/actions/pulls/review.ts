import { emit } from "../../events/emit.ts";
import { reviewJson } from "../../formatters/comment.ts";
import { pullSimpleJson } from "../../formatters/pull.ts";
import { accountNamed } from "../../state/find.ts";
import type { Pull, Review } from "../../state/pulls.ts";
import type { World } from "../../state/world.ts";
import type { PullVerbs } from "../../verbs/pulls.ts";

const STATE = {
  approved: "APPROVED",
  changes_requested: "CHANGES_REQUESTED",
  commented: "COMMENTED",
} as const satisfies Record<Parameters<PullVerbs["review"]>[1]["state"], Review["state"]>;

/** Submits a review of the head as it is now. */
export function reviewPull(world: World, pull: Pull, spec: Parameters<PullVerbs["review"]>[1]): Review {
  const author = accountNamed(world, spec.by);
  const review = world.reviews.insert({
    id: world.nextId("review"),
    repositoryId: pull.repositoryId,
    number: pull.number,
    authorId: author.id,
    state: STATE[spec.state],
    body: spec.body ?? "",
    commitSha: pull.headSha,
    submittedAt: world.clock.now(),
  });
  emit(world, {
    event: "pull_request_review",
    action: "submitted",
    repository: world.repositories.require(pull.repositoryId),
    senderId: author.id,
    payload: {
      // Deliveries write the state in lower case, the API in upper case.
      review: { ...reviewJson(world, review), state: spec.state },
      pull_request: pullSimpleJson(world, pull),
    },
  });
  return review;
}
