import type { ColumnType } from "kysely";
import type { CommentProblem } from "../../policy/comment/comment-problem.ts";
import type { Time } from "./columns.ts";

export interface CommentsTable {
  repository_id: number;
  number: number;
  comment_id: number;
  digest: string;
  /** Digest of what the comment says, whatever the words; empty: not known. */
  content: ColumnType<string, string | undefined, string>;
  /** When it was last compared with what GitHub shows; null: somebody asked for that. */
  checked_at: ColumnType<Date | null, Date, Date | null>;
  updated_at: Time;
}

/** A comment of ours that a further one took the place of. */
export interface EarlierCommentsTable {
  repository_id: number;
  number: number;
  comment_id: number;
  /** Whether GitHub shows it folded. */
  hidden: boolean;
  created_at: Time;
}

/** A comment of ours that somebody else edited or deleted and that is not restored yet. */
export interface ChangedCommentsTable {
  repository_id: number;
  number: number;
  comment_id: number;
  changed_at: Time;
}

/** A pull request's comments are not as they should be. */
export interface CommentProblemsTable {
  repository_id: number;
  number: number;
  problem: CommentProblem;
  /** Digest of what was to be told. */
  digest: string;
  tries: number;
  first_at: Time;
  next_at: Time;
}

/** A comment of ours was restored. */
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
