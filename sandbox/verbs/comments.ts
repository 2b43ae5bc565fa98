import type { PullKey } from "../../src/kernel/ids.ts";
import type { ReactionContent, SandboxComment } from "../state/pulls.ts";

/** Comments by people; the bot under test writes its own through the API. Each verb sends `issue_comment` with its action. */
export interface CommentVerbs {
  addComment(pull: PullKey, comment: { body: string; by?: string }): SandboxComment;
  editComment(commentId: number, change: { body: string; by?: string }): SandboxComment;
  deleteComment(commentId: number, by?: string): void;
  /** Minimises the comment, as maintainers can. GitHub sends no delivery for it. */
  minimiseComment(commentId: number, reason: "outdated" | "resolved" | "spam"): SandboxComment;
  /** All comments of a pull request, oldest first. */
  comments(pull: PullKey): readonly SandboxComment[];
  /** The mention notifications of a pull request's comments, in order; `to` is a login. */
  notifications(pull: PullKey): readonly { readonly to: string; readonly mention: string }[];
  /** The reactions in order of creation; `by` is a login. */
  reactions(commentId: number): readonly { readonly by: string; readonly content: ReactionContent }[];
}
