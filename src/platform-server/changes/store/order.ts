import { type Kysely, sql } from "kysely";
import { pickSnapshotKey, type SnapshotKey } from "../../area/keys.ts";
import type { CategoryKey, RowPlace } from "./rows.ts";
import type { ChangeTables } from "./tables.ts";

/** A run with the sort keys of its first and last row. */
export interface RunEdges {
  readonly category: string;
  readonly run: number;
  readonly elements: number;
  readonly first_name: string;
  readonly first_address: string;
  readonly last_name: string;
  readonly last_address: string;
}

/** The columns of a row that moving it requires. */
export interface SortableRow extends RowPlace {
  readonly facet: number;
  readonly name: string;
  readonly resource_address: string;
}

/** A row's move from one place to another. */
export interface Move {
  readonly from: RowPlace;
  readonly to: RowPlace;
}

/** Reads the first and last sort keys of every run of a snapshot, by category and run. */
export async function runEdges(trx: Kysely<ChangeTables>, key: SnapshotKey): Promise<RunEdges[]> {
  const rowAt = (position: string) => sql`
    select name, resource_address from platform_rows as one
    where one.account = runs.account and one.snapshot_id = runs.snapshot_id and one.category = runs.category
      and one.run = runs.run and one.position = ${sql.raw(position)} limit 1`;
  const { rows } = await sql<RunEdges>`
    select runs.category, runs.run, runs.elements,
      first.name as first_name, first.resource_address as first_address,
      last.name as last_name, last.resource_address as last_address
    from platform_runs as runs
    cross join lateral (${rowAt("0")}) as first
    cross join lateral (${rowAt("runs.elements - 1")}) as last
    where runs.account = ${key.account} and runs.snapshot_id = ${key.snapshot_id}
    order by runs.category, runs.run`.execute(trx);
  return rows;
}

/** Reads the rows of one run in their order. */
export function listRunRows(
  trx: Kysely<ChangeTables>,
  key: CategoryKey,
  run: number,
): Promise<SortableRow[]> {
  return trx
    .selectFrom("platform_rows")
    .select(["run", "position", "facet", "name", "resource_address"])
    .where((eb) => eb.and({ ...pickSnapshotKey(key), category: key.category, run }))
    .orderBy("position")
    .execute();
}

/** Below every run that a page can have: where rows wait while others take their places. */
const getParkedNumber = (run: number): number => -run - 1;

/**
 * Moves the rows and details of a run to temporary places, from which `moveRows` moves them to their final
 * ones.
 */
export async function parkRun(trx: Kysely<ChangeTables>, key: CategoryKey, run: number): Promise<void> {
  for (const table of ["platform_rows", "platform_details"] as const)
    await trx
      .updateTable(table)
      .set({ run: getParkedNumber(run) })
      .where((eb) => eb.and({ ...pickSnapshotKey(key), category: key.category, run }))
      .execute();
}

/** Moves parked rows and their details to their new places. The caller limits the size of one call. */
export async function moveRows(
  trx: Kysely<ChangeTables>,
  { account, snapshot_id, category }: CategoryKey,
  moves: readonly Move[],
): Promise<void> {
  const moving = (table: string) => sql`
    from unnest(${moves.map(({ from }) => getParkedNumber(from.run))}::integer[], ${moves.map(({ from }) => from.position)}::integer[],
        ${moves.map(({ to }) => to.run)}::integer[], ${moves.map(({ to }) => to.position)}::integer[])
      as moving(run, position, to_run, to_position)
    cross join lateral (select * from ${sql.table(table)} as one
      where one.account = ${account} and one.snapshot_id = ${snapshot_id} and one.category = ${category}
        and one.run = moving.run and one.position = moving.position limit 1) as item`;
  await sql`
    insert into platform_rows (account, snapshot_id, category, run, position, facet, name, resource_address, mode,
      change_count, resource_id, sensitive, value, previous_address, detail_bytes)
    select item.account, item.snapshot_id, item.category, moving.to_run, moving.to_position, item.facet, item.name,
      item.resource_address, item.mode, item.change_count, item.resource_id, item.sensitive, item.value,
      item.previous_address, item.detail_bytes
    ${moving("platform_rows")}`.execute(trx);
  await sql`
    insert into platform_details (account, snapshot_id, category, run, position, detail)
    select item.account, item.snapshot_id, item.category, moving.to_run, moving.to_position, item.detail
    ${moving("platform_details")}`.execute(trx);
}

/** Removes leftover data of a run after its rows were moved. */
export async function dropParked(trx: Kysely<ChangeTables>, key: CategoryKey, run: number): Promise<void> {
  for (const table of ["platform_rows", "platform_details"] as const)
    await trx
      .deleteFrom(table)
      .where((eb) => eb.and({ ...pickSnapshotKey(key), category: key.category, run: getParkedNumber(run) }))
      .execute();
}

/** Replaces a run's texts after its rows changed. */
export async function setRunTexts(
  trx: Kysely<ChangeTables>,
  key: CategoryKey,
  { run, search, facets }: { readonly run: number; readonly search: string; readonly facets: string },
): Promise<void> {
  await trx
    .updateTable("platform_runs")
    .set({ search, facets })
    .where((eb) => eb.and({ ...pickSnapshotKey(key), category: key.category, run }))
    .execute();
}
