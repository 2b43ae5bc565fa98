import type { Decimal } from "../../../kernel/money.ts";
import type { EndpointOutput } from "../../../platform/contract/endpoint.ts";
import type { getUnitMetric } from "../../../platform/contract/unit-metrics.ts";
import { toDecimal } from "../platform/decimal.ts";

const DAY_MS = 86_400_000;
/** Values are looked for this far back: metrics that are written monthly have one. */
const LOOK_BACK_MS = 45 * DAY_MS;

export type Metric = EndpointOutput<typeof getUnitMetric>["data"];

/** What to ask of a metric to learn its newest value. */
export const buildRange = (metricIdentifier: string, nowMs: number) => ({
  metricIdentifier,
  startTime: formatSecond(nowMs - LOOK_BACK_MS),
  endTime: formatSecond(nowMs),
  timeTruncGroupBy: "DAY" as const,
});

/** A metric's newest value, and when it was so; nulls: it has none in that range. */
export function findNewestValue(
  metric: Metric,
  nowMs: number,
): { readonly before: Decimal | null; readonly asOf: string | null } {
  const newest = findNewestRecord(metric, formatSecond(nowMs).slice(0, 10));
  const before = toDecimal(newest?.value);
  return { before, asOf: before === null ? null : (newest?.usageTimeStamp ?? null) };
}

/** ISO 8601, to the second. */
export const formatSecond = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Of a metric that adds up, today is not over yet; where gaps are filled with zeros, a zero may be none. */
const findNewestRecord = (metric: Metric, today: string): UnitValue | undefined =>
  metric.unitMetricRecords.findLast((value) => isWhole(metric, value, today));

type UnitValue = Metric["unitMetricRecords"][number];

/** Whether a day's value is one, and will stay as it is. `today`: `YYYY-MM-DD`, the day on which the range that was asked for ends. */
export function isWhole(metric: Metric, { value, usageTimeStamp }: UnitValue, today: string): boolean {
  const { type, defaultAggregation, handleEmptyValue } = metric;
  const addsUp = type === "DERIVED" || defaultAggregation === "SUM";
  return !(addsUp && usageTimeStamp.startsWith(today)) && !(handleEmptyValue === "ZERO" && value === 0);
}
