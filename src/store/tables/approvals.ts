import type { ColumnType } from "kysely";
import type { Json, Time } from "./columns.ts";

type MaybeTime = ColumnType<Date | null, Date | null, Date | null>;

export interface StoredApprovalsTable {
  repository_id: number;
  number: number;
  /** `comment:<id>` or `review:<id>`. */
  approval_id: string;
  /** GitHub's global id of the comment or review. */
  node_id: string;
  /** Digest of the text when the approval was given. */
  body_digest: string;
  approver_id: number;
  approval: Json<unknown>;
  given_at: Time;
  /** Taken back by its approver, by an edit or by its deletion; null: not. */
  revoked_at: MaybeTime;
  /** When a change of the pull request invalidated it; null: in force. */
  lapsed_at: MaybeTime;
  /** Why it was revoked or lapsed. */
  why: ColumnType<unknown, string | null, string | null>;
}

export interface CommandsTable {
  repository_id: number;
  number: number;
  source: "comment" | "review";
  source_id: number;
  node_id: string;
  author_id: number;
  created_at: Time;
  state: "waiting" | "handled";
  /** Reaction to add to the comment, as GitHub names it; null: none. */
  reaction: string | null;
  /** Text of the reply, in Markdown; null: no reply. */
  answer: string | null;
  /** `sending`: the comment may have been written, but its response was not received. */
  reply: "none" | "due" | "sending" | "sent";
  answer_comment_id: number | null;
  /** How often GitHub refused the reaction or the reply. */
  reply_tries: ColumnType<number, number | undefined, number>;
  /** Next attempt not before this time; null: at once. */
  reply_next_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface PullPushersTable {
  repository_id: number;
  number: number;
  user_id: number;
}

export interface ApprovalRequestsTable {
  repository_id: number;
  number: number;
  rule: string;
  /** See `ApprovalNeed`. */
  approver: string;
  /** The comment that mentions the approver; null: no comment mentions the approver now. */
  comment_id: number | null;
}

export interface ApprovalTables {
  approvals: StoredApprovalsTable;
  commands: CommandsTable;
  pull_pushers: PullPushersTable;
  approval_requests: ApprovalRequestsTable;
}
