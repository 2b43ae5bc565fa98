import { sql } from "kysely";
import { z } from "zod";
import { TollgateError } from "../../kernel/errors.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import {
  toSecond,
  type UnitMetric,
  type UnitMetricRequest,
  type UnitMetricSummary,
  type unitMetrics,
} from "../../platform/contract/unit-metrics.ts";
import { deleteRows, findRow, has, insertNew, updateRows } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area, Context } from "../area/area.ts";
import { foldCase } from "../area/fold-case.ts";
import { allOf, type Sql } from "../area/perspective-filter.ts";
import { refuse, refuseUnknown } from "../area/problem.ts";
import { readPiece } from "../area/read-piece.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { Db, Row } from "../tables/tables.ts";
import type { MetricKey } from "../tables/unit-metrics.ts";
import { findBillingColumn } from "./billing-fields.ts";
import { defineMetric } from "./define-metric.ts";
import { loadPerspectiveCondition } from "./perspective-rules.ts";
import {
  type MetricValues,
  readBucketRange,
  readDeletedRange,
  readValues,
  type ValueSource,
} from "./read-values.ts";

type MetricRow = Row<"platform_unit_metrics">;

/** Unit metrics (cost management 4.4). */
export const unitMetricsHandlers: Area<typeof unitMetrics> = {
  getUnitMetric: async ({ query }, context) => {
    const range = readBucketRange(query);
    const row = await readMetric(context.db, getKey(context, query.metricIdentifier));
    const values = await readValues(context.db, createValueSource(row, allOf([])), range);
    return { body: createSuccess(toUnitMetric(row, values), context) };
  },

  createUnitMetric: async ({ body }, context) => {
    const now = context.clock.now();
    const key = getKey(context, body.metricIdentifier);
    const created = await transact(context.db, async (trx) => {
      const row = { ...key, ...defineMetric(body, null), created_ms: now, updated_ms: now };
      if ((await insertNew(trx, "platform_unit_metrics", row)) === 0)
        refuse("bad_request", "there is a unit metric of this identifier already", {
          code: "RESOURCE_ALREADY_EXISTS",
          fields: [{ field: "metricIdentifier", error: "taken" }],
        });
      return addRecords(trx, row, body);
    });
    return { body: createSuccess(created, context) };
  },

  updateUnitMetric: async ({ body }, context) => {
    const key = getKey(context, body.metricIdentifier);
    const updated_ms = context.clock.now();
    const changed = await transact(context.db, async (trx) => {
      const stored = await lockMetric(trx, key);
      const changes = { ...defineMetric(body, stored), updated_ms };
      await updateRows(trx, "platform_unit_metrics", key, changes);
      return addRecords(trx, { ...stored, ...changes }, body);
    });
    return { body: createSuccess(changed, context) };
  },

  deleteUnitMetric: async ({ query }, context) => {
    const key = getKey(context, query.identifier);
    const range = query.deleteCompleteMetric ? null : readDeletedRange(query);
    await transact(context.db, async (trx) => {
      const { type } = await lockMetric(trx, key);
      const records = trx.deleteFrom("platform_unit_metric_records").where(has(key));
      if (range === null) {
        await refuseReferenced(trx, key);
        await records.execute();
        await deleteRows(trx, "platform_unit_metrics", key);
        return;
      }
      if (type === "DERIVED")
        refuse("bad_request", "a derived metric has no records of its own to delete", {
          code: "DELETE_NOT_ALLOWED",
        });
      const { numDeletedRows } = await records
        .where("at_ms", ">=", range.from)
        .where("at_ms", "<=", range.to)
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0n)
        await updateRows(trx, "platform_unit_metrics", key, { updated_ms: context.clock.now() });
    });
    return { body: createSuccess(true, context) };
  },

  readPerspectiveMetric: async ({ params, query, body }, context) => {
    const range = readBucketRange(query);
    const row = await readMetric(context.db, getKey(context, query.metricIdentifier));
    if (row.type !== "DERIVED")
      refuse("bad_request", "a perspective shows derived metrics only; this one is MANUAL", {
        code: "INVALID_REQUEST",
        fields: [{ field: "metricIdentifier", error: "expected a DERIVED metric" }],
      });
    const where = await loadPerspectiveCondition(context, {
      ...params,
      filters: body,
      override: query.overrideFilter,
    });
    const values = await readValues(context.db, createValueSource(row, where), range);
    return { body: createSuccess(toUnitMetric(row, values), context) };
  },

  listUnitMetrics: async ({ query }, context) => {
    const search = foldCase(query.searchKey ?? "");
    const found = context.db
      .selectFrom("platform_unit_metrics")
      .selectAll()
      .where("account", "=", context.account)
      .$if(search !== "", (all) => all.where(sql<boolean>`position(${search} in folded_name) > 0`))
      // "C": code points, so that the order does not depend on the database's language.
      .orderBy(
        query.sortType === "METRIC_NAME" ? sql`folded_name collate "C"` : "updated_ms",
        query.sortOrder === "ASCENDING" ? "asc" : "desc",
      )
      .orderBy(sql`metric_identifier collate "C"`);
    const { pageNo, pageSize } = query;
    const { rows, total } = await readPiece(found, { limit: pageSize, offset: pageNo * pageSize });
    const page = { unitMetrics: rows.map(toMetricSummary), totalCount: total };
    return { body: createSuccess(page, context) };
  },
};

const getKey = ({ account }: Context, metric_identifier: string): MetricKey => ({
  account,
  metric_identifier,
});

const refuseUnknownMetric = (): never => refuseUnknown("there is no such unit metric");

const readMetric = async (db: Db, key: MetricKey): Promise<MetricRow> =>
  (await findRow(db, "platform_unit_metrics", key)) ?? refuseUnknownMetric();

const lockMetric = async (trx: Db, key: MetricKey): Promise<MetricRow> =>
  (await trx
    .selectFrom("platform_unit_metrics")
    .selectAll()
    .where(has(key))
    .forUpdate()
    .executeTakeFirst()) ?? refuseUnknownMetric();

/** Most perspectives that a refusal names. */
const MAX_NAMED = 10;

async function refuseReferenced(trx: Db, key: MetricKey): Promise<void> {
  const rows = await trx
    .selectFrom("platform_perspective_metrics")
    .select("perspective_id")
    .where(has(key))
    .orderBy(sql`perspective_id collate "C"`)
    .limit(MAX_NAMED + 1)
    .execute();
  if (rows.length === 0) return;
  const named = rows.slice(0, MAX_NAMED).map(({ perspective_id }) => perspective_id);
  const more = rows.length > MAX_NAMED ? " and others" : "";
  const message = `perspectives refer to this unit metric: ${named.join(", ")}${more}; import them without it first`;
  refuse("bad_request", message, { code: "DELETE_NOT_ALLOWED" });
}

/** Adds records to a series; replaces an existing record of the same instant. */
async function addRecords(
  trx: Db,
  row: MetricRow,
  { unitMetricRecords }: UnitMetricRequest,
): Promise<UnitMetric> {
  const records = (unitMetricRecords ?? [])
    .map(({ value, usageTimeStamp }) => ({ at: toSecond(usageTimeStamp), value }))
    .sort((a, b) => a.at - b.at);
  if (records.length > 0)
    await sql`
      insert into platform_unit_metric_records (account, metric_identifier, at_ms, value)
      select ${row.account}, ${row.metric_identifier}, new.at, new.value
        from json_to_recordset(${JSON.stringify(records)}::json) as new(at bigint, value numeric)
      on conflict (account, metric_identifier, at_ms) do update set value = excluded.value`.execute(trx);
  return toUnitMetric(row, { records, total: null });
}

/** What a metric is made of; of a derived one the billing rows that `where` leaves. */
function createValueSource(row: MetricRow, where: Sql): ValueSource {
  const handling = row.handle_empty_value;
  if (row.type === "MANUAL") {
    const { account, metric_identifier, default_aggregation: aggregation } = row;
    return { source: { kind: "records", key: { account, metric_identifier } }, aggregation, handling };
  }
  const column = findBillingColumn(row.field_id ?? "");
  if (column === null)
    throw new TollgateError("internal", `a stored unit metric is derived from no column: ${row.field_id}`);
  const source = { kind: "billing", account: row.account, column, where } as const;
  return { source, aggregation: row.column_aggregation ?? "SUM", handling };
}

const parseLabels = createStoredJsonParser("labels of a unit metric", z.record(z.string(), z.string()));

const toMetricSummary = (row: MetricRow): UnitMetricSummary => ({
  metricIdentifier: row.metric_identifier,
  metricName: row.metric_name,
  accountId: row.account,
  labels: parseLabels(row.labels),
  description: row.description,
  defaultAggregation: row.default_aggregation,
  handleEmptyValue: row.handle_empty_value,
  type: row.type,
  dataSource: row.data_source,
  fieldId: row.field_id,
  columnAggregation: row.column_aggregation,
  createdAt: row.created_ms,
  lastUpdatedAt: row.updated_ms,
});

const toUnitMetric = (row: MetricRow, { records, total }: MetricValues): UnitMetric => ({
  ...toMetricSummary(row),
  unitMetricRecords: records.map(({ at, value }) => ({ value, usageTimeStamp: formatSeconds(at) })),
  total,
});

/** In UTC, to the second, as records are written. */
const formatSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
