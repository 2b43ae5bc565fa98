import type { PlatformClient } from "../../../platform/client.ts";
import type { EndpointOutput } from "../../../platform/contract/endpoint.ts";
import { listUnitMetrics, readPerspectiveMetric } from "../../../platform/contract/unit-metrics.ts";
import type { UnitCost } from "../../../report/model/context.ts";
import type { UnknownReason } from "../../../report/model/facts.ts";
import type { MeasuredPerspective } from "../../run/operator-rules.ts";
import { callWithRetry } from "../platform/call-with-retry.ts";
import { toUnknownReason } from "../platform/platform-facts.ts";
import { computeValueAfter, type MergeEffect } from "./unit-cost-after.ts";
import { buildRange, findNewestValue } from "./unit-series.ts";

/** Most metrics of an account that are searched, and most values that are read. */
const MAX_LISTED = 500;
const MAX_READ = 20;
const PAGE = 100;
/** Error code of a missing metric: cost management does not use status 404. */
export const NOT_FOUND_CODE = "RESOURCE_NOT_FOUND";

interface PerspectiveUnitQuery {
  readonly measuredPerspectives: readonly MeasuredPerspective[];
  readonly merged: () => Promise<MergeEffect>;
  readonly currency: string;
  readonly nowMs: number;
}

type Summary = EndpointOutput<typeof listUnitMetrics>["data"]["unitMetrics"][number];
type UnitCostResult = UnitCost | UnknownReason | null;

/**
 * Reads the account's cost metrics for the bills of these perspectives. All metrics of the account are
 * searched, because a metric derived from the bill applies to every perspective. Null: the perspective does
 * not exist. A text: the reason why a value is unknown.
 */
export async function readPerspectiveUnits(
  platform: PlatformClient,
  query: PerspectiveUnitQuery,
): Promise<readonly UnitCostResult[]> {
  if (query.measuredPerspectives.length === 0) return [];
  const metrics = await readCostMetrics(platform);
  if (typeof metrics === "string") return [metrics];
  if (metrics.length * query.measuredPerspectives.length > MAX_READ) return ["too_large"];
  return Promise.all(
    query.measuredPerspectives.flatMap((place) =>
      metrics.map((metric) => readPerspectiveUnit(platform, { metric, place }, query)),
    ),
  );
}

/**
 * Returns the metrics that are amounts of money derived from the bill; a text: the reason why they are
 * unknown.
 */
async function readCostMetrics(platform: PlatformClient): Promise<readonly Summary[] | UnknownReason> {
  const first = await readMetricsPage(platform, 0);
  if (typeof first === "string") return first;
  const { totalCount } = first;
  if (totalCount > MAX_LISTED) return "too_large";
  // A service may return smaller pages than requested.
  const size = first.unitMetrics.length;
  if (size === 0 && totalCount > 0) return "malformed";
  const pages = Array.from(
    { length: Math.max(0, Math.ceil(totalCount / Math.max(1, size)) - 1) },
    (_, at) => at + 1,
  );
  const all = [...first.unitMetrics];
  for (const page of await Promise.all(pages.map((number) => readMetricsPage(platform, number)))) {
    if (typeof page === "string") return page;
    all.push(...page.unitMetrics);
  }
  if (all.length < totalCount) return "malformed";
  return all.filter(isCost);
}

async function readMetricsPage(platform: PlatformClient, pageNo: number) {
  const query = { pageSize: PAGE, pageNo, sortType: "METRIC_NAME", sortOrder: "ASCENDING" } as const;
  const answer = await platform.call(listUnitMetrics, { query });
  return answer.ok ? answer.value.data : toUnknownReason(answer.failure);
}

/** Whether a metric is an amount of money: a count of costs is not. */
const isCost = ({ type, dataSource, fieldId, columnAggregation }: Summary): boolean =>
  type === "DERIVED" &&
  (dataSource ?? "BILLING") === "BILLING" &&
  fieldId?.toLowerCase() === "cost" &&
  !(columnAggregation ?? "SUM").startsWith("COUNT");

async function readPerspectiveUnit(
  platform: PlatformClient,
  { metric, place }: { readonly metric: Summary; readonly place: MeasuredPerspective },
  { merged, currency, nowMs }: PerspectiveUnitQuery,
): Promise<UnitCostResult> {
  const { perspective } = place;
  const answer = await callWithRetry(platform, readPerspectiveMetric, {
    params: { perspectiveId: perspective },
    query: buildRange(metric.metricIdentifier, nowMs),
    body: [],
  });
  if (!answer.ok) return answer.failure.code === NOT_FOUND_CODE ? null : toUnknownReason(answer.failure);
  const { data } = answer.value;
  if (data.metricIdentifier !== metric.metricIdentifier) return "malformed";
  const { before, asOf } = findNewestValue(data, nowMs);
  const after = before === null ? null : computeValueAfter(before, place, await merged());
  const about = { metric: metric.metricIdentifier, name: data.metricName, perspective, currency };
  return { ...about, before, after, asOf };
}
