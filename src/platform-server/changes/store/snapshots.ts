import type { Kysely, Selectable } from "kysely";
import { pickSnapshotKey, pickStageKey, type SnapshotKey, type StageKey } from "../../area/keys.ts";
import type { ChangeTables, PlatformSnapshotsTable } from "./tables.ts";

export type SnapshotRow = Selectable<PlatformSnapshotsTable>;

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

/** Makes a snapshot visible and final. Times are ms since 1970. */
export async function commitSnapshot(
  trx: Kysely<ChangeTables>,
  key: SnapshotKey,
  marker: { readonly counts: string; readonly committed_ms: number; readonly details_until_ms: number },
): Promise<void> {
  await trx
    .updateTable("platform_snapshots")
    .set({ state: "committed", ...marker })
    .where((eb) => eb.and(pickSnapshotKey(key)))
    .execute();
}

/** Returns snapshots whose attribute data is past retention but not yet removed, oldest first. */
export function listExpiredSnapshots(db: Kysely<ChangeTables>, nowMs: number): Promise<SnapshotKey[]> {
  return db
    .selectFrom("platform_snapshots as snapshot")
    .select(["account", "snapshot_id"])
    .where("details_until_ms", "<=", nowMs)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("platform_details as detail")
          .select("detail.run")
          .whereRef("detail.account", "=", "snapshot.account")
          .whereRef("detail.snapshot_id", "=", "snapshot.snapshot_id"),
      ),
    )
    .orderBy("details_until_ms")
    .execute();
}
