import { findRow, has, insertNew } from "../../store/database/statements.ts";
import { refuse } from "../area/problem.ts";
import { pickSnapshotKey, pickStageKey, type SnapshotKey, type StageKey } from "../tables/keys.ts";
import type { Db, Row } from "../tables/tables.ts";

export type SnapshotRow = Row<"platform_snapshots">;
export type UploadedPage = Row<"platform_pages">;

/**
 * Returns the stage's snapshot, created if missing, and locks it until the transaction ends, so that uploads
 * of one stage are serialised. Changes that are gone, or about to be, are refused. @throws Refusal
 */
export async function lockSnapshot(trx: Db, key: StageKey): Promise<SnapshotRow> {
  await insertNew(trx, "platform_snapshots", {
    ...pickStageKey(key),
    state: "uploading",
    are_details_removed: false,
  });
  const row = await findRow(trx, "platform_snapshots", pickStageKey(key), "lock");
  return row?.state === "uploading" || row?.state === "committed" ? row : refuseNotIndexed();
}

/** Returns the stage's committed snapshot; null before its counts marker has arrived. */
export const findCommitted = async (db: Db, key: StageKey): Promise<SnapshotRow | null> =>
  (await findRow(db, "platform_snapshots", { ...pickStageKey(key), state: "committed" })) ?? null;

export const refuseNotIndexed = (): never =>
  refuse("not_found", "the resource changes of this stage are not indexed, or past retention");

/** Returns the pages of a snapshot in order: per category first those of the whole category, then those of one change type. */
export function listPages(db: Db, key: SnapshotKey): Promise<UploadedPage[]> {
  return db
    .selectFrom("platform_pages")
    .selectAll()
    .where(has(pickSnapshotKey(key)))
    .orderBy("category")
    .orderBy("change")
    .orderBy("page")
    .execute();
}
