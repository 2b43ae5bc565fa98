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
  await trx
    .insertInto("platform_snapshots")
    .values({
      ...pickStageKey(key),
      state: "uploading",
      counts: null,
      committed_ms: null,
      details_until_ms: null,
      are_details_removed: false,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await trx
    .selectFrom("platform_snapshots")
    .selectAll()
    .where((eb) => eb.and(pickStageKey(key)))
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.state === "uploading" || row.state === "committed" ? row : refuseNotIndexed();
}

/** Returns the stage's committed snapshot; null before its counts marker has arrived. */
export async function findCommitted(db: Db, key: StageKey): Promise<SnapshotRow | null> {
  const row = await db
    .selectFrom("platform_snapshots")
    .selectAll()
    .where((eb) => eb.and({ ...pickStageKey(key), state: "committed" }))
    .executeTakeFirst();
  return row ?? null;
}

export const refuseNotIndexed = (): never =>
  refuse("not_found", "the resource changes of this stage are not indexed, or past retention");

/** Stores what an upload's page was; replaces an earlier upload of the same page. */
export async function savePage(trx: Db, page: UploadedPage): Promise<void> {
  const { bytes, digest, elements } = page;
  await trx
    .insertInto("platform_pages")
    .values(page)
    .onConflict((conflict) =>
      conflict
        .columns(["account", "snapshot_id", "category", "change", "page"])
        .doUpdateSet({ bytes, digest, elements }),
    )
    .execute();
}

/**
 * Returns the pages of a snapshot in order: per category first those of the whole category, then those of one
 * change type.
 */
export function listPages(db: Db, key: SnapshotKey): Promise<UploadedPage[]> {
  return db
    .selectFrom("platform_pages")
    .selectAll()
    .where((eb) => eb.and(pickSnapshotKey(key)))
    .orderBy("category")
    .orderBy("change")
    .orderBy("page")
    .execute();
}
