import { type Kysely, type Selectable, sql } from "kysely";
import { toStorableJson } from "../../../kernel/storable.ts";
import { pickSnapshotKey, type SnapshotKey } from "../../area/keys.ts";
import { listPageRuns } from "./runs.ts";
import type { ChangeTables, PlatformFacetsTable, PlatformRowsTable } from "./tables.ts";

/** The key of one category of one snapshot. */
export type CategoryKey = SnapshotKey & { readonly category: string };
/** The place of a stored row; see `PlatformRunsTable`. */
export interface RowPlace {
  readonly run: number;
  readonly position: number;
}

export type NewRow = Omit<Selectable<PlatformRowsTable>, keyof SnapshotKey | "category">;
export type FullRow = NewRow &
  Pick<Selectable<PlatformFacetsTable>, "change" | "provider" | "type" | "module">;

/**
 * Adds rows. The caller limits the size of one call: the embedded database blocks the event loop during it.
 */
export async function addRows(
  trx: Kysely<ChangeTables>,
  key: CategoryKey,
  rows: readonly NewRow[],
): Promise<void> {
  await sql`
    insert into platform_rows (account, snapshot_id, category, run, position, facet, name, resource_address, mode,
      change_count, resource_id, sensitive, value, previous_address, detail_bytes)
    select ${key.account}, ${key.snapshot_id}::bigint, ${key.category}, new.*
    from json_to_recordset(${toStorableJson(rows)}::json) as new(run integer, position integer, facet integer, name text,
      resource_address text, mode text, change_count integer, resource_id text, sensitive boolean, value text,
      previous_address text, detail_bytes integer)`.execute(trx);
}

/**
 * Reads the rows at the given places, in stored order. Places without a row are omitted. Each place is a
 * separate lookup (`limit 1`): the embedded database collects no statistics, and a planner without statistics
 * would read the whole table.
 */
export async function rowsAt(
  db: Kysely<ChangeTables>,
  key: CategoryKey,
  places: readonly RowPlace[],
): Promise<FullRow[]> {
  const runs = places.map(({ run }) => run);
  const positions = places.map(({ position }) => position);
  const { rows } = await sql<FullRow>`
    select item.run, item.position, item.facet, item.name, item.resource_address, item.mode, item.change_count,
      item.resource_id, item.sensitive, item.value, item.previous_address, item.detail_bytes, facet.change, facet.provider, facet.type, facet.module
    from unnest(${runs}::integer[], ${positions}::integer[]) as wanted(run, position)
    cross join lateral (select * from platform_rows as one
      where one.account = ${key.account} and one.snapshot_id = ${key.snapshot_id} and one.category = ${key.category}
        and one.run = wanted.run and one.position = wanted.position limit 1) as item
    cross join lateral (select * from platform_facets as one
      where one.account = ${key.account} and one.snapshot_id = ${key.snapshot_id}
        and one.facet = item.facet limit 1) as facet
    order by item.run, item.position`.execute(db);
  return rows;
}

/** Returns the places of the rows of one category that have a previous address, in stored order. */
export async function listMovedPlaces(
  db: Kysely<ChangeTables>,
  key: CategoryKey,
): Promise<(RowPlace & { readonly ordinal: number })[]> {
  const { rows } = await sql<RowPlace & { readonly ordinal: number }>`
    select item.run, item.position, place.first_ordinal + item.position as ordinal
    from platform_rows as item
    join platform_runs as place using (account, snapshot_id, category, run)
    where item.account = ${key.account} and item.snapshot_id = ${key.snapshot_id}
      and item.category = ${key.category} and item.previous_address is not null
    order by item.run, item.position`.execute(db);
  return rows;
}

/** Removes a page's rows and details between two positions of each of its runs (`from` included, `to` not). */
export async function deleteRows(
  trx: Kysely<ChangeTables>,
  key: CategoryKey,
  part: { readonly page: number; readonly from: number; readonly to: number },
): Promise<void> {
  for (const table of ["platform_rows", "platform_details"] as const)
    await trx
      .deleteFrom(table)
      .where((eb) => eb.and({ ...pickSnapshotKey(key), category: key.category }))
      .where("run", "in", listPageRuns(part.page))
      .where("position", ">=", part.from)
      .where("position", "<", part.to)
      .execute();
}
