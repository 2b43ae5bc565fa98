import { formatTime } from "../../formatters/json.ts";
import { buildNodeId } from "../../state/node-id.ts";
import type { Review, SandboxPull } from "../../state/pulls.ts";
import { buildPullKey } from "../../state/world.ts";
import { buildActorFields } from "./actors.ts";
import type { CallerView, NodeFields } from "./caller-view.ts";
import { buildConnection, type PageArguments } from "./connection.ts";

/** Returns the reviews of a pull request, filtered by state when states are named. */
export const buildReviewConnection = (
  view: CallerView,
  pull: SandboxPull,
  { states, ...page }: PageArguments & { readonly states?: readonly string[] | null },
): NodeFields => {
  const reviews = view.world.reviews.group(buildPullKey(pull));
  const selected = states == null ? reviews : reviews.filter(({ state }) => states.includes(state));
  return buildConnection(selected, { ...page, name: "reviews" }, (review) => buildReviewFields(view, review));
};

export const buildReviewFields = (view: CallerView, review: Review): NodeFields => ({
  __typename: "PullRequestReview",
  id: buildNodeId("PullRequestReview", review.id),
  body: review.body,
  author: () => buildActorFields(view, review.authorId),
  commit: () =>
    view.nodes.commit(view, view.world.repositories.require(review.repositoryId), review.commitSha),
  state: review.state,
  submittedAt: formatTime(review.submittedAt),
  lastEditedAt: review.editedAt === null ? null : formatTime(review.editedAt),
  isMinimized: false,
});
