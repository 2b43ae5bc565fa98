import { bigint, defineTable, jsonb, text, timestamp } from "./define-table.ts";
import { pullColumns } from "./pull-key.ts";

/** Approvals, overrides, the comments that give them, and who is asked for them. */
export const approvalTables = {
  approvals: defineTable({
    columns: {
      ...pullColumns,
      /** `comment:<id>` or `review:<id>`. */
      approval_id: text(),
      /** GitHub's global id of the comment or review. */
      node_id: text(),
      /** Digest of the text when the approval was given. */
      body_digest: text(),
      approver_id: bigint(),
      approval: jsonb(),
      given_at: timestamp(),
      /** Taken back by its approver, by an edit or by its deletion; null: not. */
      revoked_at: timestamp().nullable(),
      /** When a change of the pull request invalidated it; null: in force. */
      lapsed_at: timestamp().nullable(),
      /** Why it lapsed or was revoked; null: in force, or its approver revoked it. */
      why: jsonb().nullable(),
    },
    primaryKey: ["repository_id", "approval_id"],
    indexes: { by_pull: "(repository_id, number)" },
  }),
  overrides: defineTable({
    columns: {
      ...pullColumns,
      /** `comment:<id>`. */
      override_id: text(),
      /** GitHub's global id of the comment. */
      node_id: text(),
      /** Digest of the comment's text when the override was given. */
      body_digest: text(),
      person_id: bigint(),
      /** A label. */
      login: text(),
      head_sha: text(),
      base_ref: text(),
      /** The policy files that were in force, as `joinPolicyBlobs` joins them. */
      policy_blobs: text(),
      reason: text(),
      given_at: timestamp(),
      /** Null: in force. */
      ended_at: timestamp().nullable(),
    },
    primaryKey: ["repository_id", "override_id"],
    indexes: { by_pull: "(repository_id, number)" },
  }),
  commands: defineTable({
    columns: {
      ...pullColumns,
      /** A reminder is no command, but our own comment about the approval that the comment gave. */
      source: text<"comment" | "review" | "week-reminder" | "day-reminder">(),
      source_id: bigint(),
      node_id: text(),
      author_id: bigint(),
      created_at: timestamp(),
      state: text<"waiting" | "handled">(),
      /** Reaction to add to the comment, as GitHub names it; null: none. */
      reaction: text().nullable(),
      /** Text of the reply, in Markdown; null: no reply. */
      answer: text().nullable(),
      /** `due`: the comment may have been written, without its id being known. */
      reply: text<"none" | "due" | "sent">(),
      answer_comment_id: bigint().nullable(),
      /** Next attempt not before this time; null: at once. */
      reply_next_at: timestamp().nullable(),
    },
    primaryKey: ["repository_id", "source", "source_id"],
    indexes: {
      by_pull: "(repository_id, number)",
      by_reply: "(reply) where reply = 'due'",
    },
  }),
  pull_pushes: defineTable({
    columns: { ...pullColumns, user_id: bigint(), before_sha: text().nullable(), after_sha: text() },
    primaryKey: ["repository_id", "number", "user_id", "after_sha"],
  }),
  approval_requests: defineTable({
    columns: {
      ...pullColumns,
      rule: text(),
      /** See `ApprovalNeed`. */
      approver: text(),
      /** The comment that mentions the approver; null: no comment mentions the approver now. */
      comment_id: bigint().nullable(),
    },
    primaryKey: ["repository_id", "number", "rule", "approver"],
  }),
  reviewer_requests: defineTable({
    columns: {
      ...pullColumns,
      /** As `ApprovalNeed` names approvers. */
      reviewer: text(),
      /** See `StoredReviewer`. */
      state: text<"requested" | "left">(),
    },
    primaryKey: ["repository_id", "number", "reviewer"],
  }),
};
