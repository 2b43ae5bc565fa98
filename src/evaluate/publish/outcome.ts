import type { CheckOutcome } from "../../github/checks/check-write.ts";
import type { GitHubFailure } from "../../github/client/result.ts";
import type { CommentOutcome } from "../../github/comments/comment-write.ts";
import { classifyRefusal } from "../../github/comments/refusal.ts";
import type { CommentProblem } from "../../policy/comment/news.ts";

/** Result of a write, as the lane needs it. */
export type PublishOutcome =
  | { readonly state: "published" }
  /** A later evaluation of the lane has started: no further write is allowed. */
  | { readonly state: "superseded" }
  /** GitHub refuses the write and states why. */
  | { readonly state: "refused"; readonly problem: CommentProblem; readonly failure: GitHubFailure }
  | { readonly state: "failed"; readonly failure: GitHubFailure };

export function toPublishOutcome(outcome: CheckOutcome | CommentOutcome): PublishOutcome {
  switch (outcome.state) {
    case "written":
    case "unchanged":
    case "deleted":
      return { state: "published" };
    case "superseded":
      return { state: "superseded" };
    case "refused": {
      const problem = "reason" in outcome ? outcome.reason : "refused";
      return { state: "refused", problem, failure: outcome.failure };
    }
    case "failed":
      return { state: "failed", failure: outcome.failure };
  }
}

/** The outcome of a failure to read or to change a comment. */
export function toFailedOutcome(failure: GitHubFailure): PublishOutcome {
  const problem = classifyRefusal(failure);
  return problem === null ? { state: "failed", failure } : { state: "refused", problem, failure };
}
