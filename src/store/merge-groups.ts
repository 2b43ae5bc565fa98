import type { Selectable } from "kysely";
import { deleteRows, findRow, has, insertNew } from "./database/statements.ts";
import type { Db, Tables } from "./tables/tables.ts";

export type MergeGroup = Selectable<Tables["merge_groups"]>;

export async function saveMergeGroup(
  db: Db,
  group: Omit<MergeGroup, "created_at">,
  now: Date,
): Promise<void> {
  await insertNew(db, "merge_groups", { ...group, created_at: now });
}

export async function removeMergeGroup(db: Db, repositoryId: number, headSha: string): Promise<void> {
  await deleteRows(db, "merge_groups", { repository_id: repositoryId, head_sha: headSha });
}

export async function findMergeGroup(
  db: Db,
  repositoryId: number,
  headSha: string,
): Promise<MergeGroup | undefined> {
  return findRow(db, "merge_groups", { repository_id: repositoryId, head_sha: headSha });
}

/**
 * Returns the merge groups of a base branch that exist since `after`. GitHub drops a group after some hours,
 * sometimes without a delivery.
 */
export async function listBaseMergeGroups(
  db: Db,
  repositoryId: number,
  { baseRef, after }: { readonly baseRef: string; readonly after: Date },
): Promise<readonly MergeGroup[]> {
  return db
    .selectFrom("merge_groups")
    .selectAll()
    .where(has({ repository_id: repositoryId, base_ref: baseRef }))
    .where("created_at", ">", after)
    .execute();
}
