import type { CheckOutcome } from "../../github/checks/check-write.ts";
import type { GitHubFailure } from "../../github/client/answer.ts";
import type { CommentOutcome } from "../../github/comments/comment-write.ts";

/** What became of a write, as far as the lane cares. */
export type Published =
  | { readonly state: "published" }
  /** A later run of the lane took over: stop, write nothing more. */
  | { readonly state: "superseded" }
  /** GitHub does not want it and will not: nothing to retry. */
  | { readonly state: "refused"; readonly failure: GitHubFailure | null }
  | { readonly state: "failed"; readonly failure: GitHubFailure };

export function publishedOf(outcome: CheckOutcome | CommentOutcome): Published {
  switch (outcome.state) {
    case "written":
    case "unchanged":
    case "deleted":
      return { state: "published" };
    case "superseded":
      return { state: "superseded" };
    case "locked":
    case "too_long":
      return { state: "refused", failure: null };
    case "refused":
    case "failed":
      return { state: outcome.state, failure: outcome.failure };
  }
}
