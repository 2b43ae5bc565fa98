import type { Kysely, Selectable } from "kysely";
import { pickSnapshotKey, pickStageKey, type SnapshotKey, type StageKey } from "../../area/keys.ts";
import type { IndexTexts } from "../snapshot-index.ts";
import type { ChangeTables } from "./tables.ts";

export type SnapshotRow = Selectable<ChangeTables["platform_snapshots"]>;
export type UploadedPage = Selectable<ChangeTables["platform_pages"]>;

/**
 * Returns the stage's snapshot, created if missing, and locks it until the transaction ends, so that uploads
 * of one stage are serialised.
 */
export async function lockSnapshot(trx: Kysely<ChangeTables>, key: StageKey): Promise<SnapshotRow> {
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
  return trx
    .selectFrom("platform_snapshots")
    .selectAll()
    .where((eb) => eb.and(pickStageKey(key)))
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Returns the stage's committed snapshot; null before its counts marker has arrived. */
export async function findCommitted(db: Kysely<ChangeTables>, key: StageKey): Promise<SnapshotRow | null> {
  const row = await db
    .selectFrom("platform_snapshots")
    .selectAll()
    .where((eb) => eb.and({ ...pickStageKey(key), state: "committed" }))
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the changes of a stage are gone, or about to be: they can neither be read nor uploaded again. */
export const isPastRetention = (state: SnapshotRow["state"]): boolean =>
  state === "removing" || state === "removed";

/** Makes a snapshot visible and final. Times are ms since 1970. */
export async function commitSnapshot(
  trx: Kysely<ChangeTables>,
  key: SnapshotKey,
  commit: {
    readonly counts: string;
    readonly committed_ms: number;
    readonly details_until_ms: number;
    readonly indexes: readonly IndexTexts[];
  },
): Promise<void> {
  const { indexes, ...marker } = commit;
  const snapshot = pickSnapshotKey(key);
  for (const { category, places, search } of indexes)
    await trx
      .insertInto("platform_indexes")
      .values({ ...snapshot, category, places, search })
      .execute();
  await trx
    .updateTable("platform_snapshots")
    .set({ state: "committed", ...marker })
    .where((eb) => eb.and(snapshot))
    .execute();
}

/** Returns the indexes of a committed snapshot; a category without rows has none. */
export function readIndexTexts(
  db: Kysely<ChangeTables>,
  key: SnapshotKey,
): Promise<Omit<IndexTexts, "elements">[]> {
  return db
    .selectFrom("platform_indexes")
    .select(["category", "places", "search"])
    .where((eb) => eb.and(pickSnapshotKey(key)))
    .execute();
}

/** Stores what an upload's page was; replaces an earlier upload of the same page. */
export async function savePage(trx: Kysely<ChangeTables>, page: UploadedPage): Promise<void> {
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
export function listPages(db: Kysely<ChangeTables>, key: SnapshotKey): Promise<UploadedPage[]> {
  return db
    .selectFrom("platform_pages")
    .selectAll()
    .where((eb) => eb.and(pickSnapshotKey(key)))
    .orderBy("category")
    .orderBy("change")
    .orderBy("page")
    .execute();
}
