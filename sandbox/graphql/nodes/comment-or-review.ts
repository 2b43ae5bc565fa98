import { requirePull } from "../../state/find.ts";
import { parseNodeId } from "../../state/node-id.ts";
import type { Review } from "../../state/pulls.ts";
import { type CallerView, canSee, createGraphqlError, type NodeFields } from "./caller-view.ts";
import { buildCommentFields, buildPullFields } from "./pulls.ts";
import { buildReviewFields } from "./reviews.ts";

/** Returns a comment or a review by its global id; refuses a missing or invisible one without failing the query. */
export function findCommentOrReview(view: CallerView, id: string): NodeFields {
  const { world } = view;
  const comment = world.comments.get(parseNodeId("IssueComment", id) ?? -1);
  const review = world.reviews.get(parseNodeId("PullRequestReview", id) ?? -1);
  const node = comment ?? review;
  const repository = node === null ? null : world.repositories.require(node.repositoryId);
  if (node === null || repository === null || !canSee(view, repository)) {
    throw createGraphqlError("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
  }
  const own = comment === null ? buildReviewFields(view, node as Review) : buildCommentFields(view, comment); // one of the two was found
  return {
    ...own,
    repository: () => view.nodes.repository(view, repository),
    pullRequest: () => buildPullFields(view, requirePull(world, node)),
  };
}
