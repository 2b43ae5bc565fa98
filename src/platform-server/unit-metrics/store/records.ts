import { type Kysely, sql } from "kysely";
import { pickMetricKey } from "./metrics.ts";
import type { MetricKey, UnitMetricTables } from "./tables.ts";

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
