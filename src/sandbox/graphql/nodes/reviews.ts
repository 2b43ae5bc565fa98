import { time } from "../../formatters/json.ts";
import { nodeId } from "../../state/node-id.ts";
import type { Review, SandboxPull } from "../../state/pulls.ts";
import { pullKey } from "../../state/world.ts";
import { actorFields } from "./actors.ts";
import { connection, type PageArguments } from "./connection.ts";
import type { CallerView, NodeFields } from "./view.ts";

/** Returns the reviews of a pull request, filtered by state when states are named. */
export const reviewsOf = (
  view: CallerView,
  pull: SandboxPull,
  { states, ...page }: PageArguments & { readonly states?: readonly string[] | null },
): NodeFields => {
  const reviews = view.world.reviews.group(pullKey(pull));
  const selected = states == null ? reviews : reviews.filter(({ state }) => states.includes(state));
  return connection(selected, { ...page, name: "reviews" }, (review) => reviewFields(view, review));
};

export const reviewFields = (view: CallerView, review: Review): NodeFields => ({
  __typename: "PullRequestReview",
  id: nodeId("PullRequestReview", review.id),
  body: review.body,
  author: () => actorFields(view, review.authorId),
  commit: () =>
    view.nodes.commit(view, view.world.repositories.require(review.repositoryId), review.commitSha),
  state: review.state,
  submittedAt: time(review.submittedAt),
  lastEditedAt: review.editedAt === null ? null : time(review.editedAt),
  isMinimized: false,
});
