import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../tables/tables.ts";

/** Rows that one statement visits: the embedded database serves nobody else meanwhile. */
const PAGE = 500;

/** A table of which old rows are deleted. Conditions name the table `aged`. */
export interface AgedTable {
  readonly table: keyof Tables;
  /** The columns of its primary key, in the order of its index. */
  readonly key: readonly string[];
  readonly isOld: RawBuilder<boolean>;
  /** Old rows stay while this column has one of these values. */
  readonly needed?: { readonly column: string; readonly values: ReadonlySet<string> };
  /** Tables whose rows belong to a row by its `evaluation_id`: they are deleted with it. */
  readonly parts?: readonly (keyof Tables)[];
}

/** A row of a page: its key and whether it is old. */
type AgedRow = Readonly<Record<string, string | number | boolean>>;

/**
 * Deletes the old rows of a table and returns their number. It walks along the primary key, so that each statement is short and
 * needs no index by age, and waits for `pause` between two pages. It may be ended at any time and begun again.
 */
export async function purgeTable(
  db: Kysely<Tables>,
  aged: AgedTable,
  pause: () => Promise<void>,
): Promise<number> {
  let removed = 0;
  for (let after: AgedRow | null = null; ; await pause()) {
    const page: readonly AgedRow[] = await readPage(db, aged, after);
    const last = page.at(-1);
    if (last === undefined) return removed;
    removed += await deleteOld(db, aged, { page, last, after });
    if (page.length < PAGE) return removed;
    after = last;
  }
}

const listColumns = ({ key }: AgedTable) => sql.join(key.map((column) => sql.ref(`aged.${column}`)));

const listValues = ({ key }: AgedTable, row: AgedRow) => sql.join(key.map((column) => row[column]));

const isAfter = (aged: AgedTable, after: AgedRow | null) =>
  after === null ? sql`true` : sql`(${listColumns(aged)}) > (${listValues(aged, after)})`;

async function readPage(
  db: Kysely<Tables>,
  aged: AgedTable,
  after: AgedRow | null,
): Promise<readonly AgedRow[]> {
  const { rows } = await sql<AgedRow>`
    select ${listColumns(aged)}, ${aged.isOld} as is_old from ${sql.table(aged.table)} as aged
    where ${isAfter(aged, after)} order by ${listColumns(aged)} limit ${PAGE}`.execute(db);
  return rows;
}

/** The age is compared again in the statement that deletes: a row may have been written since its page was read. */
async function deleteOld(
  db: Kysely<Tables>,
  aged: AgedTable,
  { page, last, after }: { page: readonly AgedRow[]; last: AgedRow; after: AgedRow | null },
): Promise<number> {
  const { column = "", values = new Set<string>() } = aged.needed ?? {};
  const old = page.filter((row) => row["is_old"] === true);
  const kept = [...new Set(old.map((row) => String(row[column])).filter((value) => values.has(value)))];
  if (old.every((row) => values.has(String(row[column])))) return 0;
  const isNeedless =
    kept.length === 0 ? sql`true` : sql`${sql.ref(`aged.${column}`)} not in (${sql.join(kept)})`;
  const oldRows = sql`delete from ${sql.table(aged.table)} as aged
    where ${isAfter(aged, after)} and (${listColumns(aged)}) <= (${listValues(aged, last)})
      and ${aged.isOld} and ${isNeedless}`;
  const { parts } = aged;
  if (parts !== undefined) return deleteWithParts(db, oldRows, parts);
  const { numAffectedRows } = await oldRows.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes rows and what belongs to them in one statement, and returns the number of the rows themselves. */
async function deleteWithParts(
  db: Kysely<Tables>,
  oldRows: RawBuilder<unknown>,
  parts: readonly (keyof Tables)[],
): Promise<number> {
  const deletes = parts.map(
    (part) => sql`${sql.ref(`gone_${part}`)} as (delete from ${sql.table(part)}
      where evaluation_id in (select evaluation_id from gone))`,
  );
  const { rows } = await sql<{ removed: number }>`
    with gone as (${oldRows} returning evaluation_id), ${sql.join(deletes)}
    select count(*) as removed from gone`.execute(db);
  return rows[0]?.removed ?? 0;
}
