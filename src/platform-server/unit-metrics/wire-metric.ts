import { z } from "zod";
import type { UnitMetric, UnitMetricSummary } from "../../platform/contract/unit-metrics.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { BucketValue } from "./read-values.ts";
import type { MetricRow } from "./store/metrics.ts";

const parseLabels = createStoredJsonParser("labels of a unit metric", z.record(z.string(), z.string()));

export const toMetricSummary = (row: MetricRow): UnitMetricSummary => ({
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

export const toUnitMetric = (
  row: MetricRow,
  { records, total }: { readonly records: readonly BucketValue[]; readonly total: number | null },
): UnitMetric => ({
  ...toMetricSummary(row),
  unitMetricRecords: records.map(({ at, value }) => ({ value, usageTimeStamp: formatSeconds(at) })),
  total,
});

export const createUnknownMetricProblem = (): Problem<"bad_request"> =>
  createNotFoundProblem("there is no such unit metric");

/** Returns the problem of a missing record: cost management has no status for it, only a code. */
export const createNotFoundProblem = (
  message: string,
  fields: readonly { readonly field: string; readonly error: string }[] = [],
): Problem<"bad_request"> => createProblem("bad_request", message, { code: "RESOURCE_NOT_FOUND", fields });

/** In UTC, to the second, as records are written. */
const formatSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
