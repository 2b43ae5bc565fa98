import { deliverEvent } from "../../events/deliver-event.ts";
import { formatReview } from "../../formatters/comment.ts";
import type { JsonObject } from "../../formatters/json.ts";
import { formatPullSimple } from "../../formatters/pull.ts";
import type { Account } from "../../state/accounts.ts";
import { requireAccount, requirePull, resolveActor } from "../../state/find.ts";
import type { Review, SandboxPull } from "../../state/pulls.ts";
import type { World } from "../../state/world.ts";
import type { PullVerbs } from "../../verbs/pulls.ts";
import { answerRequests } from "./reviewers.ts";

const STATE = {
  approved: "APPROVED",
  changes_requested: "CHANGES_REQUESTED",
  commented: "COMMENTED",
} as const satisfies Record<Parameters<PullVerbs["review"]>[1]["state"], Review["state"]>;

/** Submits a review of the head as it is now. */
export function reviewPull(
  world: World,
  pull: SandboxPull,
  spec: Parameters<PullVerbs["review"]>[1],
): Review {
  const author = requireAccount(world, spec.by);
  const review = world.reviews.insert({
    id: world.nextId("review"),
    repositoryId: pull.repositoryId,
    number: pull.number,
    authorId: author.id,
    state: STATE[spec.state],
    body: spec.body ?? "",
    commitSha: pull.headSha,
    submittedAt: world.clock.now(),
    editedAt: null,
  });
  answerRequests(world, pull, author.id);
  return emitReviewEvent(world, review, { action: "submitted", by: author });
}

export function editReview(world: World, id: number, body: string): Review {
  const before = world.reviews.require(id);
  const review = world.reviews.update(id, { body, editedAt: world.clock.now() });
  const extra = { changes: { body: { from: before.body } } };
  return emitReviewEvent(world, review, {
    action: "edited",
    by: world.accounts.require(review.authorId),
    extra,
  });
}

export function dismissReview(world: World, id: number, by: string | undefined): Review {
  const review = world.reviews.update(id, { state: "DISMISSED" });
  const repository = world.repositories.require(review.repositoryId);
  return emitReviewEvent(world, review, { action: "dismissed", by: resolveActor(world, repository, by) });
}

function emitReviewEvent(
  world: World,
  review: Review,
  what: { action: string; by: Account; extra?: JsonObject },
): Review {
  deliverEvent(world, {
    event: "pull_request_review",
    action: what.action,
    repository: world.repositories.require(review.repositoryId),
    senderId: what.by.id,
    payload: {
      // Deliveries write the state in lower case, the API in upper case.
      review: { ...formatReview(world, review), state: review.state.toLowerCase() },
      pull_request: formatPullSimple(world, requirePull(world, review)),
      ...what.extra,
    },
  });
  return review;
}
