import type { ColumnType } from "kysely";
import type { CommentProblem } from "../../policy/comment/comment-problem.ts";
import type { Time } from "./columns.ts";

export interface CommentsTable {
  repository_id: number;
  number: number;
  comment_id: number;
  digest: string;
  /** Digest of the content without the wording; empty: unknown. */
  content: ColumnType<string, string | undefined, string>;
  /** When it was last compared with the comment on GitHub; null: a comparison is requested. */
  checked_at: ColumnType<Date | null, Date, Date | null>;
  updated_at: Time;
}

/** A Tollgate comment that a newer one replaced. */
export interface EarlierCommentsTable {
  repository_id: number;
  number: number;
  comment_id: number;
  /** Whether GitHub shows the comment minimized. */
  hidden: boolean;
  created_at: Time;
}

/** A Tollgate comment that somebody else edited or deleted and that is not restored yet. */
export interface ChangedCommentsTable {
  repository_id: number;
  number: number;
  comment_id: number;
  changed_at: Time;
}

/** A problem with the comments of a pull request. */
export interface CommentProblemsTable {
  repository_id: number;
  number: number;
  problem: CommentProblem;
  /** Digest of the comment that could not be written. */
  digest: string;
  tries: number;
  first_at: Time;
  next_at: Time;
}

/** The restore of one of our comments. */
export interface CommentRestoresTable {
  repository_id: number;
  number: number;
  restored_at: Time;
}

export interface CommentTables {
  comments: CommentsTable;
  earlier_comments: EarlierCommentsTable;
  changed_comments: ChangedCommentsTable;
  comment_problems: CommentProblemsTable;
  comment_restores: CommentRestoresTable;
}
