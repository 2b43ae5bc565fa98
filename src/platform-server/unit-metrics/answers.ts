import type { UnitMetric, UnitMetricSummary } from "../../platform/contract/shapes/unit-metric-shapes.ts";
import { type Problem, problem } from "../area/problem.ts";
import type { BucketValue } from "./fill-gaps.ts";
import type { MetricRow } from "./store/metrics.ts";

export const summaryOf = (row: MetricRow): UnitMetricSummary => ({
  metricIdentifier: row.metric_identifier,
  metricName: row.metric_name,
  accountId: row.account,
  labels: JSON.parse(row.labels) as Record<string, string>, // written by `define` from what the contract checked
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

export const metricOf = (
  row: MetricRow,
  { records, total }: { readonly records: readonly BucketValue[]; readonly total: number | null },
): UnitMetric => ({
  ...summaryOf(row),
  unitMetricRecords: records.map(({ at, value }) => ({ value, usageTimeStamp: secondText(at) })),
  total,
});

export const noSuchMetric = (): Problem<"bad_request"> => notFound("there is no such unit metric");

/** Cost management names no status for what is not there; its code says it. */
export const notFound = (
  message: string,
  fields: readonly { readonly field: string; readonly error: string }[] = [],
): Problem<"bad_request"> => problem("bad_request", message, { code: "RESOURCE_NOT_FOUND", fields });

/** In UTC, to the second, as records are written. */
const secondText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
