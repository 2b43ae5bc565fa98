import { type Kysely, sql } from "kysely";
import { toStorableJson } from "../../../kernel/storable.ts";
import { pickSnapshotKey } from "../../area/keys.ts";
import type { CategoryKey, RowPlace } from "./rows.ts";
import type { ChangeTables } from "./tables.ts";

/** Attribute data of one row as JSON text. */
export type NewDetail = RowPlace & { readonly detail: string };

/** Adds details. The caller limits the size of one call, as for rows. */
export async function addDetails(
  trx: Kysely<ChangeTables>,
  key: CategoryKey,
  details: readonly NewDetail[],
): Promise<void> {
  await sql`
    insert into platform_details (account, snapshot_id, category, run, position, detail)
    select ${key.account}, ${key.snapshot_id}::bigint, ${key.category}, new.*
    from json_to_recordset(${toStorableJson(details)}::json) as new(run integer, position integer, detail text)`.execute(
    trx,
  );
}

/** Returns the detail at a place; null when it does not exist or was removed. */
export async function detailAt(
  db: Kysely<ChangeTables>,
  key: CategoryKey,
  { run, position }: RowPlace,
): Promise<string | null> {
  const row = await db
    .selectFrom("platform_details")
    .select("detail")
    .where((eb) => eb.and({ ...pickSnapshotKey(key), category: key.category, run, position }))
    .executeTakeFirst();
  return row?.detail ?? null;
}
