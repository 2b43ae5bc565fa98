import type { Kysely } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { ApprovalRequest } from "../../policy/approvals/requests.ts";
import { transact } from "../database/one-connection.ts";
import type { Tables } from "../tables/tables.ts";

/** Returns the open approval requests of a pull request, as last saved. */
export async function listApprovalRequests(
  db: Kysely<Tables>,
  pull: PullKey,
): Promise<readonly ApprovalRequest[]> {
  const rows = await db
    .selectFrom("approval_requests")
    .select(["rule", "approver", "comment_id"])
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .orderBy("rule")
    .orderBy("approver")
    .execute();
  return rows.map(({ rule, approver, comment_id: commentId }) => ({ rule, approver, commentId }));
}

/** Replaces all approval requests of a pull request. */
export function saveApprovalRequests(
  db: Kysely<Tables>,
  { repositoryId, number }: PullKey,
  requests: readonly ApprovalRequest[],
): Promise<void> {
  const rows = requests.map(({ rule, approver, commentId }) => ({
    repository_id: repositoryId,
    number,
    rule,
    approver,
    comment_id: commentId,
  }));
  return transact(db, async (trx) => {
    await trx
      .deleteFrom("approval_requests")
      .where("repository_id", "=", repositoryId)
      .where("number", "=", number)
      .execute();
    if (rows.length > 0) await trx.insertInto("approval_requests").values(rows).execute();
  });
}
