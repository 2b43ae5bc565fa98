import type { ColumnType } from "kysely";
import type { Time } from "./columns.ts";

interface OverridesTable {
  repository_id: number;
  number: number;
  /** `comment:<id>`. */
  override_id: string;
  /** GitHub's global id of the comment. */
  node_id: string;
  /** Digest of the comment's text when the override was given. */
  body_digest: string;
  person_id: number;
  /** A label. */
  login: string;
  head_sha: string;
  base_ref: string;
  /** The policy files that were in force, as `joinPolicyBlobs` joins them. */
  policy_blobs: string;
  reason: string;
  given_at: Time;
  /** Null: in force. */
  ended_at: ColumnType<Date | null, Date | null, Date | null>;
  /** Kind of `OverrideEnd`; null: in force. */
  why: string | null;
}

interface ReviewerRequestsTable {
  repository_id: number;
  number: number;
  /** As `ApprovalNeed` names approvers. */
  reviewer: string;
  /** See `StoredReviewer`. */
  state: "requested" | "left";
  requested_at: Time;
}

export interface OverrideTables {
  overrides: OverridesTable;
  reviewer_requests: ReviewerRequestsTable;
}
