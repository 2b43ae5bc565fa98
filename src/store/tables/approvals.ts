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
  /** Digest of the text as it was when it was taken. */
  body_digest: string;
  approver_id: number;
  approval: Json<unknown>;
  given_at: Time;
  /** Taken back by its approver, by an edit or by its deletion; null: not. */
  revoked_at: MaybeTime;
  /** Ended by what the pull request became; null: not. */
  lapsed_at: MaybeTime;
  /** Why it ended. */
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
  /** Reaction to show beside it, as GitHub names it; null: none. */
  reaction: string | null;
  /** Comment to answer it with; null: none. */
  answer: string | null;
  /** `sending`: a write may have happened whose answer was never seen. */
  reply: "none" | "due" | "sending" | "sent";
  answer_comment_id: number | null;
  /** How often GitHub refused reaction or answer. */
  reply_tries: ColumnType<number, number | undefined, number>;
  /** Not before this time; null: at once. */
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
  /** The comment that mentions the approver; null: none does any more. */
  comment_id: number | null;
}

export interface ApprovalTables {
  approvals: StoredApprovalsTable;
  commands: CommandsTable;
  pull_pushers: PullPushersTable;
  approval_requests: ApprovalRequestsTable;
}
