import {
  type Insertable,
  type Kysely,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Updateable,
} from "kysely";
import { countFound } from "../../area/count-found.ts";
import type { MetricKey, UnitMetricTables } from "./tables.ts";

export type MetricRow = Selectable<UnitMetricTables["platform_unit_metrics"]>;

export interface MetricQuery {
  readonly account: string;
  /** Part of the folded name; empty: all metrics. */
  readonly search: string;
  readonly sort: "folded_name" | "updated_ms";
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

/** Returns only the members of the key. */
export const pickMetricKey = ({ account, metric_identifier }: MetricKey): MetricKey => ({
  account,
  metric_identifier,
});

export async function findMetric(db: Kysely<UnitMetricTables>, key: MetricKey): Promise<MetricRow | null> {
  const row = await db
    .selectFrom("platform_unit_metrics")
    .selectAll()
    .where((eb) => eb.and(pickMetricKey(key)))
    .executeTakeFirst();
  return row ?? null;
}

/** Finds a metric like `findMetric`, and locks it until the transaction ends. */
export async function lockMetric(trx: Kysely<UnitMetricTables>, key: MetricKey): Promise<MetricRow | null> {
  const row = await trx
    .selectFrom("platform_unit_metrics")
    .selectAll()
    .where((eb) => eb.and(pickMetricKey(key)))
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Inserts a metric. False, without a change: the identifier is taken. */
export async function insertMetric(
  trx: Kysely<UnitMetricTables>,
  row: Insertable<UnitMetricTables["platform_unit_metrics"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("platform_unit_metrics")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function updateMetric(
  trx: Kysely<UnitMetricTables>,
  key: MetricKey,
  changes: Updateable<Omit<UnitMetricTables["platform_unit_metrics"], keyof MetricKey>>,
): Promise<void> {
  await trx
    .updateTable("platform_unit_metrics")
    .set(changes)
    .where((eb) => eb.and(pickMetricKey(key)))
    .execute();
}

export async function deleteMetric(trx: Kysely<UnitMetricTables>, key: MetricKey): Promise<void> {
  await trx
    .deleteFrom("platform_unit_metrics")
    .where((eb) => eb.and(pickMetricKey(key)))
    .execute();
}

/** Returns one page of an account's metrics and their total number. Equal ones are ordered by identifier. */
export async function listMetrics(
  db: Kysely<UnitMetricTables>,
  query: MetricQuery,
): Promise<{ rows: MetricRow[]; total: number }> {
  const rows = await selectMatchingMetrics(db, query)
    .selectAll()
    // "C": code points, so that the order does not depend on the database's language.
    .orderBy(query.sort === "folded_name" ? sql`folded_name collate "C"` : "updated_ms", query.order)
    .orderBy(sql`metric_identifier collate "C"`)
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return { rows, total: await countFound(selectMatchingMetrics(db, query)) };
}

function selectMatchingMetrics(
  db: Kysely<UnitMetricTables>,
  { account, search }: MetricQuery,
): SelectQueryBuilder<UnitMetricTables, "platform_unit_metrics", object> {
  const all = db.selectFrom("platform_unit_metrics").where("account", "=", account);
  return search === "" ? all : all.where(sql<boolean>`position(${search} in folded_name) > 0`);
}

/** A range of times, both ends inclusive, ms since 1970. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Adds records to a series; replaces an existing record of the same instant. Instants must be unique. */
export async function putRecords(
  trx: Kysely<UnitMetricTables>,
  key: MetricKey,
  records: readonly { readonly at_ms: number; readonly value: number }[],
): Promise<void> {
  if (records.length === 0) return;
  await sql`
    insert into platform_unit_metric_records (account, metric_identifier, at_ms, value)
    select ${key.account}, ${key.metric_identifier}, new.at_ms, new.value
      from json_to_recordset(${JSON.stringify(records)}::json) as new(at_ms bigint, value numeric)
    on conflict (account, metric_identifier, at_ms) do update set value = excluded.value`.execute(trx);
}

/** Removes the records of a range, or all of them; returns their number. */
export async function deleteRecords(
  trx: Kysely<UnitMetricTables>,
  key: MetricKey,
  range: Range | "all",
): Promise<number> {
  const all = trx.deleteFrom("platform_unit_metric_records").where((eb) => eb.and(pickMetricKey(key)));
  const deletion =
    range === "all" ? all : all.where("at_ms", ">=", range.from).where("at_ms", "<=", range.to);
  const { numDeletedRows } = await deletion.executeTakeFirst();
  return Number(numDeletedRows);
}
