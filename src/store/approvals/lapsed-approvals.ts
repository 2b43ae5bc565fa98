import type { Kysely } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Approval, Lapse } from "../../policy/model/approval.ts";
import { storedApproval, storedLapse } from "../json/stored-values.ts";
import type { Tables } from "../tables/tables.ts";

/** Approvals shown at most. */
const MAX_SHOWN = 5;

/** Approvals that a change of the pull request ended, the newest first: shown, and never in force again. Unreadable ones are not shown. */
export async function listLapsedApprovals(
  db: Kysely<Tables>,
  pull: PullKey,
): Promise<readonly { readonly approval: Approval; readonly why: Lapse }[]> {
  const rows = await db
    .selectFrom("approvals")
    .select(["approval", "why"])
    .where("repository_id", "=", pull.repositoryId)
    .where("number", "=", pull.number)
    .where("lapsed_at", "is not", null)
    .orderBy("lapsed_at", "desc")
    .orderBy("approval_id")
    .limit(MAX_SHOWN)
    .execute();
  return rows.flatMap((row) => {
    const [approval, why] = [storedApproval.read(row.approval), storedLapse.read(row.why)];
    const isRead = approval.state === "read" && why.state === "read";
    return isRead ? [{ approval: approval.value, why: why.value }] : [];
  });
}
