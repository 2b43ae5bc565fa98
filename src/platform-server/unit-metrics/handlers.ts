import { TollgateError } from "../../kernel/errors.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import type { unitMetrics } from "../../platform/contract/unit-metrics.ts";
import type { Area } from "../area/area.ts";
import { foldCase } from "../area/fold-case.ts";
import { addAccount } from "../area/keys.ts";
import { allOf, type Sql } from "../area/perspective-filter.ts";
import { createProblem, isProblem } from "../area/problem.ts";
import { findBillingColumn } from "./billing-fields.ts";
import { loadPerspectiveCondition } from "./perspective-rules.ts";
import { readBucketRange, readDeletedRange, readValues, type ValueSource } from "./read-values.ts";
import { findMetric, listMetrics, type MetricRow } from "./store/metrics.ts";
import type { UnitMetricTables } from "./store/tables.ts";
import { createUnknownMetricProblem, toMetricSummary, toUnitMetric } from "./wire-metric.ts";
import { changeMetric, createMetric, removeMetric, removeRecords } from "./write-metric.ts";

/** Unit metrics (cost management 4.4). */
export const unitMetricsHandlers: Area<typeof unitMetrics, UnitMetricTables> = {
  getUnitMetric: async ({ query }, context) => {
    const range = readBucketRange(query);
    if (isProblem(range)) return range;
    const row = await findMetric(
      context.db,
      addAccount(context, { metric_identifier: query.metricIdentifier }),
    );
    if (row === null) return createUnknownMetricProblem();
    const values = await readValues(context, createValueSource(row, allOf([])), range);
    return isProblem(values) ? values : { body: createSuccess(toUnitMetric(row, values), context) };
  },

  createUnitMetric: async ({ body }, context) => {
    const created = await createMetric(context, body);
    return isProblem(created) ? created : { body: createSuccess(created, context) };
  },

  updateUnitMetric: async ({ body }, context) => {
    const changed = await changeMetric(context, body);
    return isProblem(changed) ? changed : { body: createSuccess(changed, context) };
  },

  deleteUnitMetric: async ({ query }, context) => {
    const key = addAccount(context, { metric_identifier: query.identifier });
    const range = query.deleteCompleteMetric ? null : readDeletedRange(query);
    if (range !== null && isProblem(range)) return range;
    const removed = await (range === null ? removeMetric(context, key) : removeRecords(context, key, range));
    return removed === true ? { body: createSuccess(true, context) } : removed;
  },

  readPerspectiveMetric: async ({ params, query, body }, context) => {
    const range = readBucketRange(query);
    if (isProblem(range)) return range;
    const row = await findMetric(
      context.db,
      addAccount(context, { metric_identifier: query.metricIdentifier }),
    );
    if (row === null) return createUnknownMetricProblem();
    if (row.type !== "DERIVED")
      return createProblem("bad_request", "a perspective shows derived metrics only; this one is MANUAL", {
        code: "INVALID_REQUEST",
        fields: [{ field: "metricIdentifier", error: "expected a DERIVED metric" }],
      });
    const where = await loadPerspectiveCondition(context, {
      perspectiveId: params.perspectiveId,
      filters: body,
      override: query.overrideFilter,
    });
    if ("problem" in where) return where;
    const values = await readValues(context, createValueSource(row, where), range);
    return isProblem(values) ? values : { body: createSuccess(toUnitMetric(row, values), context) };
  },

  listUnitMetrics: async ({ query }, context) => {
    const { rows, total } = await listMetrics(context.db, {
      account: context.token.account,
      search: foldCase(query.searchKey ?? ""),
      sort: query.sortType === "METRIC_NAME" ? "folded_name" : "updated_ms",
      order: query.sortOrder === "ASCENDING" ? "asc" : "desc",
      limit: query.pageSize,
      offset: query.pageNo * query.pageSize,
    });
    return { body: createSuccess({ unitMetrics: rows.map(toMetricSummary), totalCount: total }, context) };
  },
};

/** What a metric is made of; of a derived one the billing rows that `where` leaves. */
function createValueSource(row: MetricRow, where: Sql): ValueSource {
  const handling = row.handle_empty_value;
  if (row.type === "MANUAL")
    return { source: { kind: "records", key: row }, aggregation: row.default_aggregation, handling };
  const column = findBillingColumn(row.field_id ?? "");
  if (column === null)
    throw new TollgateError("internal", `a stored unit metric is derived from no column: ${row.field_id}`);
  const source = { kind: "billing", account: row.account, column, where } as const;
  return { source, aggregation: row.column_aggregation ?? "SUM", handling };
}
