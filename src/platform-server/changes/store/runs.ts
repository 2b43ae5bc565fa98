import { type Kysely, type Selectable, sql } from "kysely";
import { pickSnapshotKey, type SnapshotKey } from "../../area/keys.ts";
import type { ChangeTables, PlatformRunsTable } from "./tables.ts";

export type RunRow = Selectable<PlatformRunsTable>;
/** The position of a run's rows in their category. */
export type RunPlace = Pick<RunRow, "category" | "run" | "elements"> & { readonly first_ordinal: number };

/** Largest page number, so that change priority and page fit into one sortable number. */
export const MAX_PAGE = 999_999;
const PRIORITIES = 7;

/** Returns the run of a page's rows with a change priority (0 for elements without a change type). */
export const getRunNumber = (priority: number, page: number): number => priority * (MAX_PAGE + 1) + page;

/** Returns the change priority of a run's rows. */
export const getPriority = (run: number): number => Math.floor(run / (MAX_PAGE + 1));

/** Returns every possible run of a page. */
export const listPageRuns = (page: number): number[] =>
  Array.from({ length: PRIORITIES }, (_, priority) => getRunNumber(priority, page));

export async function saveRun(trx: Kysely<ChangeTables>, row: RunRow): Promise<void> {
  await trx.insertInto("platform_runs").values(row).execute();
}

export async function deleteRuns(
  trx: Kysely<ChangeTables>,
  key: SnapshotKey & { readonly category: string },
  page: number,
): Promise<void> {
  await trx
    .deleteFrom("platform_runs")
    .where((eb) => eb.and({ ...pickSnapshotKey(key), category: key.category }))
    .where("run", "in", listPageRuns(page))
    .execute();
}

/**
 * Numbers the rows of each category from zero, in stored order, by setting the ordinal of each run's first
 * row.
 */
export async function numberRuns(trx: Kysely<ChangeTables>, key: SnapshotKey): Promise<void> {
  await sql`
    update platform_runs as target set first_ordinal = numbered.first_ordinal
    from (select category, run, sum(elements) over (partition by category order by run) - elements as first_ordinal
          from platform_runs where account = ${key.account} and snapshot_id = ${key.snapshot_id}) as numbered
    where target.account = ${key.account} and target.snapshot_id = ${key.snapshot_id}
      and target.category = numbered.category and target.run = numbered.run`.execute(trx);
}

/**
 * Returns the runs with the ordinals from `from` (inclusive) to `to` (exclusive) of one category, in stored
 * order. For committed snapshots only.
 */
export function findCoveringRuns(
  db: Kysely<ChangeTables>,
  key: SnapshotKey & { readonly category: string },
  range: { readonly from: number; readonly to: number },
): Promise<RunPlace[]> {
  return (
    numberedRuns(db, key)
      .where("category", "=", key.category)
      // Any number may be asked for; as an integer parameter it could be out of range.
      .where(sql<boolean>`first_ordinal < ${range.to}::bigint`)
      .where(sql<boolean>`first_ordinal + elements > ${range.from}::bigint`)
      .orderBy("run")
      .execute()
  );
}

/** Returns the number of rows of a category of a snapshot. */
export async function countRows(
  db: Kysely<ChangeTables>,
  key: SnapshotKey & { readonly category: string },
): Promise<number> {
  const { total } = await db
    .selectFrom("platform_runs")
    .select(sql<number>`coalesce(sum(elements), 0)::bigint`.as("total"))
    .where((eb) => eb.and({ ...pickSnapshotKey(key), category: key.category }))
    .executeTakeFirstOrThrow();
  return total;
}

export interface RowTotal {
  readonly category: string;
  /** Change priority of the rows. */
  readonly priority: number;
  readonly rows: number;
}

/**
 * Returns the numbers of rows by category and change priority, one for each page with such rows; the snapshot
 * may be uncommitted.
 */
export async function readRowTotals(trx: Kysely<ChangeTables>, key: SnapshotKey): Promise<RowTotal[]> {
  const runs = await trx
    .selectFrom("platform_runs")
    .select(["category", "run", "elements"])
    .where((eb) => eb.and(pickSnapshotKey(key)))
    .execute();
  return runs.map(({ category, run, elements }) => ({
    category,
    priority: getPriority(run),
    rows: elements,
  }));
}

/** Returns every run of a committed snapshot without its texts, by category and in stored order. */
export const runPlaces = (db: Kysely<ChangeTables>, key: SnapshotKey): Promise<RunPlace[]> =>
  numberedRuns(db, key).orderBy("category").orderBy("run").execute();

const numberedRuns = (db: Kysely<ChangeTables>, key: SnapshotKey) =>
  db
    .selectFrom("platform_runs")
    .select(["category", "run", "elements", sql<number>`coalesce(first_ordinal, 0)`.as("first_ordinal")])
    .where((eb) => eb.and(pickSnapshotKey(key)));

/** Returns the texts of the given runs of one category, in stored order. */
export function runTexts(
  db: Kysely<ChangeTables>,
  key: SnapshotKey & { readonly category: string },
  runs: readonly number[],
): Promise<Pick<RunRow, "run" | "search" | "facets">[]> {
  return db
    .selectFrom("platform_runs")
    .select(["run", "search", "facets"])
    .where((eb) => eb.and({ ...pickSnapshotKey(key), category: key.category }))
    .where("run", "in", [...runs])
    .orderBy("run")
    .execute();
}
