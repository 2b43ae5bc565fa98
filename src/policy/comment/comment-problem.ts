/**
 * Why the comments of a pull request could not be written. The evaluation and its check never depend on it.
 * `locked`, `blocked`, `restricted`, `disabled`, `limited`, `too_long`: what GitHub says. `refused`: GitHub gives no reason that is
 * known. `unavailable`: GitHub did not answer after repeated tries. `contested`: others repeatedly change Tollgate's comment.
 * `earlier`: only an earlier comment is still to be folded or deleted.
 */
export type CommentProblem =
  | "locked"
  | "blocked"
  | "restricted"
  | "disabled"
  | "limited"
  | "too_long"
  | "refused"
  | "unavailable"
  | "contested"
  | "earlier";
