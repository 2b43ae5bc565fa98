import type { CommentProblem } from "../../policy/comment/comment-problem.ts";
import { bigint, boolean, defineTable, integer, text, timestamp } from "./define-table.ts";

const pullColumns = { repository_id: bigint(), number: integer() };

export const commentTables = {
  comments: defineTable({
    columns: {
      ...pullColumns,
      comment_id: bigint(),
      digest: text(),
      /** Digest of the content without the wording; empty: unknown. */
      content: text(),
      /** When it was last compared with the comment on GitHub; null: a comparison is requested. */
      checked_at: timestamp().nullable(),
      updated_at: timestamp(),
    },
    primaryKey: ["repository_id", "number"],
  }),
  /** A Tollgate comment that a newer one replaced. */
  earlier_comments: defineTable({
    columns: {
      ...pullColumns,
      comment_id: bigint(),
      /** Whether GitHub shows the comment minimized. */
      hidden: boolean(),
      created_at: timestamp(),
    },
    primaryKey: ["repository_id", "comment_id"],
    indexes: { by_pull: "(repository_id, number)" },
  }),
  /** A Tollgate comment that somebody else edited or deleted and that is not restored yet. */
  changed_comments: defineTable({
    columns: { ...pullColumns, comment_id: bigint(), changed_at: timestamp() },
    primaryKey: ["repository_id", "number", "comment_id", "changed_at"],
    indexes: { by_time: "(changed_at)" },
  }),
  /** A problem with the comments of a pull request. */
  comment_problems: defineTable({
    columns: {
      ...pullColumns,
      problem: text<CommentProblem>(),
      /** Digest of the comment that could not be written. */
      digest: text(),
      tries: integer(),
      first_at: timestamp(),
      next_at: timestamp(),
    },
    primaryKey: ["repository_id", "number"],
    indexes: { by_time: "(next_at)" },
  }),
  /** The restore of one of our comments. */
  comment_restores: defineTable({
    columns: { ...pullColumns, restored_at: timestamp() },
    indexes: { by_pull: "(repository_id, number)" },
  }),
};
