import type { PullKey } from "../../kernel/ids.ts";
import type { ApprovalRequest } from "../../policy/approvals/requests.ts";
import { deleteRows, insertNew, isOf } from "../database/statements.ts";
import { transact } from "../database/transaction.ts";
import { toPullColumns } from "../tables/pull-key.ts";
import type { Db } from "../tables/tables.ts";

/** Returns the open approval requests of a pull request, as last saved. */
export async function listApprovalRequests(db: Db, pull: PullKey): Promise<readonly ApprovalRequest[]> {
  return db
    .selectFrom("approval_requests")
    .select(["rule", "approver", "comment_id as commentId"])
    .where(isOf(pull))
    .orderBy("rule")
    .orderBy("approver")
    .execute();
}

/** Replaces all approval requests of a pull request. */
export function saveApprovalRequests(
  db: Db,
  pull: PullKey,
  requests: readonly ApprovalRequest[],
): Promise<void> {
  const rows = requests.map(({ rule, approver, commentId }) => ({
    ...toPullColumns(pull),
    rule,
    approver,
    comment_id: commentId,
  }));
  return transact(db, async (trx) => {
    await deleteRows(trx, "approval_requests", toPullColumns(pull));
    if (rows.length > 0) await trx.insertInto("approval_requests").values(rows).execute();
  });
}

/** What Tollgate did about a reviewer while an approval is needed. Reviewers are named as in `ApprovalNeed`. */
export interface StoredReviewer {
  readonly reviewer: string;
  /** `requested`: by Tollgate. `left`: others requested them, they reviewed already, may not approve, or GitHub refuses them. */
  readonly state: "requested" | "left";
}

export async function listReviewers(db: Db, pull: PullKey): Promise<readonly StoredReviewer[]> {
  return db
    .selectFrom("reviewer_requests")
    .select(["reviewer", "state"])
    .where(isOf(pull))
    .orderBy("reviewer")
    .execute();
}

export async function saveReviewers(
  db: Db,
  pull: PullKey,
  reviewers: readonly StoredReviewer[],
): Promise<void> {
  await insertNew(
    db,
    "reviewer_requests",
    reviewers.map(({ reviewer, state }) => ({ ...toPullColumns(pull), reviewer, state })),
  );
}

/** Forgets reviewers whose approval is no longer needed: a need that returns is a new one. */
export async function forgetReviewers(db: Db, pull: PullKey, reviewers: readonly string[]): Promise<void> {
  if (reviewers.length === 0) return;
  await db.deleteFrom("reviewer_requests").where(isOf(pull)).where("reviewer", "in", reviewers).execute();
}
