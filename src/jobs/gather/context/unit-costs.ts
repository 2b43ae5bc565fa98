import type { PlatformClient } from "../../../platform/client.ts";
import type { Output } from "../../../platform/contract/endpoint.ts";
import { getUnitMetric } from "../../../platform/contract/unit-metrics.ts";
import type { UnitCost } from "../../../report/context.ts";
import type { Fact, UnknownReason } from "../../../report/facts.ts";
import type { UnitMetricGrant } from "../../operator.ts";
import { unknown, unknownReason } from "../platform-facts.ts";
import { decimalOf } from "./amounts.ts";
import { type Merged, valueAfter } from "./unit-cost-after.ts";

const DAY_MS = 86_400_000;
/** Values are looked for this far back: metrics that are written monthly have one. */
const LOOK_BACK_MS = 45 * DAY_MS;

/** Cost management has no 404. */
const NO_SUCH = "RESOURCE_NOT_FOUND";

interface Asked {
  readonly metrics: readonly UnitMetricGrant[];
  readonly merged: () => Promise<Merged>;
  readonly currency: string;
  readonly nowMs: number;
}

/** What one unit costs before and after merging, of each metric that the repository may see. Absent: none of them exists. */
export async function readUnitCosts(
  platform: PlatformClient,
  asked: Asked,
): Promise<Fact<readonly UnitCost[]>> {
  const read = await Promise.all(asked.metrics.map((metric) => readOne(platform, metric, asked)));
  const failed = read.find((one) => typeof one === "string");
  if (failed !== undefined) return unknown(failed);
  const costs = read.filter((one) => typeof one === "object" && one !== null);
  return costs.length === 0 ? { state: "absent" } : { state: "known", value: costs };
}

/** Null: there is no such metric. A text: why it is not known. */
async function readOne(
  platform: PlatformClient,
  grant: UnitMetricGrant,
  { merged, currency, nowMs }: Asked,
): Promise<UnitCost | UnknownReason | null> {
  const query = {
    metricIdentifier: grant.metric,
    startTime: second(nowMs - LOOK_BACK_MS),
    endTime: second(nowMs),
    timeTruncGroupBy: "DAY" as const,
  };
  const answer = await platform.call(getUnitMetric, { query });
  if (!answer.ok) return answer.failure.code === NO_SUCH ? null : unknownReason(answer.failure);
  const { data } = answer.value;
  if (data.metricIdentifier !== grant.metric) return "malformed";
  const newest = newestIn(data, second(nowMs).slice(0, 10));
  const before = decimalOf(newest?.value);
  const after = before === null ? null : valueAfter(before, grant, await merged());
  const asOf = before === null ? null : (newest?.usageTimeStamp ?? null);
  return { metric: grant.metric, name: data.metricName, before, after, asOf, currency };
}

/** ISO 8601, to the second. */
export const second = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export type Metric = Output<typeof getUnitMetric>["data"];

/** Of a metric that adds up, today is not over yet; where gaps are filled with zeros, a zero may be none. */
const newestIn = (metric: Metric, today: string): UnitValue | undefined =>
  metric.unitMetricRecords.findLast((value) => isWhole(metric, value, today));

type UnitValue = Metric["unitMetricRecords"][number];

/** Whether a day's value is one, and will stay as it is. `today`: `YYYY-MM-DD`, the day on which the range that was asked for ends. */
export function isWhole(metric: Metric, { value, usageTimeStamp }: UnitValue, today: string): boolean {
  const { type, defaultAggregation, handleEmptyValue } = metric;
  const addsUp = type === "DERIVED" || defaultAggregation === "SUM";
  return !(addsUp && usageTimeStamp.startsWith(today)) && !(handleEmptyValue === "ZERO" && value === 0);
}
