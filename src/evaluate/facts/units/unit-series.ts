import type { Decimal } from "../../../kernel/money.ts";
import type { EndpointOutput } from "../../../platform/contract/endpoint.ts";
import type { getUnitMetric } from "../../../platform/contract/unit-metrics.ts";
import { toDecimal } from "../platform/decimal.ts";

const DAY_MS = 86_400_000;
/** In ms. Values since this time ago are read: a monthly metric has at least one. */
const LOOK_BACK_MS = 45 * DAY_MS;

export type Metric = EndpointOutput<typeof getUnitMetric>["data"];

/** Returns the query for a metric's newest value. */
export const buildRange = (metricIdentifier: string, nowMs: number) => ({
  metricIdentifier,
  startTime: formatSecond(nowMs - LOOK_BACK_MS),
  endTime: formatSecond(nowMs),
  timeTruncGroupBy: "DAY" as const,
});

/** Returns a metric's newest value and its time; null: it has none in that range. */
export function findNewestValue(
  metric: Metric,
  nowMs: number,
): { readonly before: Decimal | null; readonly asOf: string | null } {
  const newest = findNewestRecord(metric, formatSecond(nowMs).slice(0, 10));
  const before = toDecimal(newest?.value);
  return { before, asOf: before === null ? null : (newest?.usageTimeStamp ?? null) };
}

/** Formats ms since 1970 as ISO 8601, with whole seconds. */
export const formatSecond = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/**
 * Returns the newest complete value. Today's sum is incomplete, and where gaps are filled with zeros, a zero
 * may be a gap.
 */
const findNewestRecord = (metric: Metric, today: string): UnitValue | undefined =>
  metric.unitMetricRecords.findLast((value) => isWhole(metric, value, today));

type UnitValue = Metric["unitMetricRecords"][number];

/** Whether a day's value is real and final. `today`: last day of the requested range, as `YYYY-MM-DD`. */
export function isWhole(metric: Metric, { value, usageTimeStamp }: UnitValue, today: string): boolean {
  const { type, defaultAggregation, handleEmptyValue } = metric;
  const addsUp = type === "DERIVED" || defaultAggregation === "SUM";
  return !(addsUp && usageTimeStamp.startsWith(today)) && !(handleEmptyValue === "ZERO" && value === 0);
}
