/**
 * Why a pull request's comments are not as they should be. The evaluation and its check never depend on it.
 * `locked`, `blocked`, `restricted`, `disabled`, `limited`, `too_long`: what GitHub says. `refused`: GitHub gives no reason that is
 * known. `unavailable`: GitHub did not answer, tried again and again. `contested`: others change our comment again and again.
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
