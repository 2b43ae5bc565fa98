import { pullOf } from "../../state/find.ts";
import { fromNodeId } from "../../state/node-id.ts";
import type { Review } from "../../state/pulls.ts";
import { commentFields, pullFields } from "./pulls.ts";
import { reviewFields } from "./reviews.ts";
import { type CallerView, canSee, type NodeFields, problem } from "./view.ts";

/** Returns a comment or a review by its global id; refuses a missing or invisible one without failing the query. */
export function commentOrReviewNode(view: CallerView, id: string): NodeFields {
  const { world } = view;
  const comment = world.comments.get(fromNodeId("IssueComment", id) ?? -1);
  const review = world.reviews.get(fromNodeId("PullRequestReview", id) ?? -1);
  const written = comment ?? review;
  const repository = written === null ? null : world.repositories.require(written.repositoryId);
  if (written === null || repository === null || !canSee(view, repository)) {
    throw problem("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
  }
  const own = comment === null ? reviewFields(view, written as Review) : commentFields(view, comment); // one of the two was found
  return {
    ...own,
    repository: () => view.nodes.repository(view, repository),
    pullRequest: () => pullFields(view, pullOf(world, written)),
  };
}
