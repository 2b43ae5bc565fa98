import type { PullKey } from "../../kernel/ids.ts";
import type { Comment } from "../state/pulls.ts";

/** Comments by people; the bot under test writes its own through the API. Each verb sends `issue_comment` with its action. */
export interface CommentVerbs {
  addComment(pull: PullKey, comment: { body: string; by?: string }): Comment;
  editComment(commentId: number, change: { body: string; by?: string }): Comment;
  deleteComment(commentId: number, by?: string): void;
  /** All comments of a pull request, oldest first. */
  comments(pull: PullKey): readonly Comment[];
}
