import type { Kysely } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Approval, Lapse } from "../../policy/model/approval.ts";
import type { Tables } from "../tables/tables.ts";

/** Signatures told of at most. */
const SHOWN = 5;

/** Signatures that what became of the pull request has ended, the newest first: shown, and never in force again. */
export async function lapsedApprovals(
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
    .limit(SHOWN)
    .execute();
  return rows.map(({ approval, why }) => ({
    approval: approval as Approval, // written by signatures.ts alone, from values of these types
    why: why as Lapse,
  }));
}
