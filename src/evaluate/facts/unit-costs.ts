import { DAY_MS } from "../../kernel/clock.ts";
import { compare, type Decimal, scale, sum, ZERO } from "../../kernel/money.ts";
import type { PlatformClient } from "../../platform/client.ts";
import type { EndpointOutput } from "../../platform/contract/endpoint.ts";
import {
  getUnitMetric,
  listUnitMetrics,
  readPerspectiveMetric,
} from "../../platform/contract/unit-metrics.ts";
import type { PlatformResult } from "../../platform/errors.ts";
import type { UnitCost } from "../../report/model/context.ts";
import type { Fact, StageFacts } from "../../report/model/facts.ts";
import { isIntroduced } from "../../report/usage.ts";
import type { CoveredWorkspaces, UnitMetricGrant } from "../run/operator-rules.ts";
import type { ContextQuery } from "./context-query.ts";
import { callWithRetry, requireRead, toDecimal, UnreadError, unknown } from "./platform-facts.ts";

/**
 * Reads the cost per unit before and after the merge, for each metric that the repository may see, and for
 * those derived from the bills of its perspectives. Absent: there are none.
 */
export async function readUnitCosts(query: ContextQuery): Promise<Fact<readonly UnitCost[]>> {
  const { unitMetrics, measuredPerspectives } = query.grant;
  if (unitMetrics.length + measuredPerspectives.length === 0) return unknown("not_granted");
  const [named, derived] = await Promise.all([
    Promise.all(unitMetrics.map((grant) => readUnitCost(query, grant))),
    readPerspectiveUnits(query),
  ]);
  const costs = [...named, ...derived].filter((one) => one !== null);
  return costs.length === 0 ? { state: "absent" } : { state: "known", value: costs };
}

/** Reads one metric; null: it does not exist. */
async function readUnitCost(query: ContextQuery, grant: UnitMetricGrant): Promise<UnitCost | null> {
  const { metric } = grant;
  const answer = await query.platform.call(getUnitMetric, { query: buildRange(metric, query.nowMs) });
  return toUnitCost(answer, { metric, perspective: null, grant }, query);
}

interface AskedMetric {
  readonly metric: string;
  readonly perspective: string | null;
  readonly grant: CoveredWorkspaces;
}

async function toUnitCost(
  answer: PlatformResult<{ readonly data: Metric }>,
  { metric, perspective, grant }: AskedMetric,
  { stages, hasRefused, operator: { costCurrency: currency }, nowMs }: ContextQuery,
): Promise<UnitCost | null> {
  if (!answer.ok && answer.failure.code === NOT_FOUND_CODE) return null;
  const { data } = requireRead(answer);
  if (data.metricIdentifier !== metric) throw new UnreadError("malformed");
  const { before, asOf } = findNewestValue(data, nowMs);
  const after =
    before === null ? null : computeValueAfter(before, grant, { stages: await stages, hasRefused, currency });
  return { metric, name: data.metricName, perspective, before, after, asOf, currency };
}

/** Most metrics of an account that are searched, and most values that are read. */
const MAX_LISTED = 500;
const MAX_READ = 20;
const PAGE = 100;
/** Error code of a missing metric: cost management does not use status 404. */
const NOT_FOUND_CODE = "RESOURCE_NOT_FOUND";

type Summary = EndpointOutput<typeof listUnitMetrics>["data"]["unitMetrics"][number];

/**
 * Reads the account's cost metrics for the bills of the granted perspectives. All metrics of the account are
 * searched, because a metric derived from the bill applies to every perspective. Null: the perspective does
 * not exist.
 */
async function readPerspectiveUnits(query: ContextQuery): Promise<readonly (UnitCost | null)[]> {
  const { platform, grant, nowMs } = query;
  const { measuredPerspectives } = grant;
  if (measuredPerspectives.length === 0) return [];
  const metrics = await readCostMetrics(platform);
  if (metrics.length * measuredPerspectives.length > MAX_READ) throw new UnreadError("too_large");
  const reads = measuredPerspectives.flatMap((measured) =>
    metrics.map(async ({ metricIdentifier: metric }) => {
      const { perspective } = measured;
      const answer = await callWithRetry(platform, readPerspectiveMetric, {
        params: { perspectiveId: perspective },
        query: buildRange(metric, nowMs),
        body: [],
      });
      return toUnitCost(answer, { metric, perspective, grant: measured }, query);
    }),
  );
  return Promise.all(reads);
}

/** Returns the metrics that are amounts of money derived from the bill. */
async function readCostMetrics(platform: PlatformClient): Promise<readonly Summary[]> {
  const { totalCount, unitMetrics: first } = await readMetricsPage(platform, 0);
  if (totalCount > MAX_LISTED) throw new UnreadError("too_large");
  const size = Math.max(1, first.length); // a service may return smaller pages than requested
  const pages = Array.from({ length: Math.max(0, Math.ceil(totalCount / size) - 1) }, (_, at) => at + 1);
  const more = first.length === 0 ? [] : pages.map((page) => readMetricsPage(platform, page));
  const all = [first, ...(await Promise.all(more)).map(({ unitMetrics }) => unitMetrics)].flat();
  if (all.length < totalCount) throw new UnreadError("malformed");
  return all.filter(isCost);
}

async function readMetricsPage(platform: PlatformClient, pageNo: number) {
  const query = { pageSize: PAGE, pageNo, sortType: "METRIC_NAME", sortOrder: "ASCENDING" } as const;
  return requireRead(await platform.call(listUnitMetrics, { query })).data;
}

/** Whether a metric is an amount of money: a count of costs is not. */
const isCost = ({ type, dataSource, fieldId, columnAggregation }: Summary): boolean =>
  type === "DERIVED" &&
  (dataSource ?? "BILLING") === "BILLING" &&
  fieldId?.toLowerCase() === "cost" &&
  !(columnAggregation ?? "SUM").startsWith("COUNT");

/** The known effect of a merge. */
interface MergeEffect {
  readonly stages: readonly StageFacts[];
  /** True: a part of the effect may not be shown here, so that further stages may change. */
  readonly hasRefused: boolean;
  readonly currency: string;
}

/**
 * Computes a cost per unit after the merge: it changes in proportion to the cost of its workspaces, with a
 * constant number of units. Null unless the operator states which workspaces the metric covers, and the merge
 * changes none of them, or all of them with known costs.
 */
export function computeValueAfter(
  unitCost: Decimal,
  grant: CoveredWorkspaces,
  merged: MergeEffect,
): Decimal | null {
  const { stages, hasRefused } = merged;
  const { workspaces } = grant;
  if (workspaces === null || hasRefused || stages.some(({ isUnread }) => isUnread === true)) return null;
  const covered = stages.filter((stage) => isWorkspaceCovered(grant, stage));
  if (covered.length === 0) return unitCost;
  const names = new Set(covered.map(({ workspace }) => workspace));
  if (names.size < new Set(workspaces).size || covered.length > names.size) return null;
  const costs = covered.flatMap((stage) => selectKnownCost(stage, merged.currency));
  const before = sum(costs.map((cost) => cost.before));
  if (costs.length < covered.length || compare(before, ZERO) <= 0) return null;
  return scale(unitCost, sum(costs.map((cost) => cost.after)), before);
}

/** Whether a metric covers this workspace. */
export const isWorkspaceCovered = (
  { org, project, workspaces }: CoveredWorkspaces,
  stage: Pick<StageFacts, "org" | "project" | "workspace">,
): boolean =>
  stage.org === org &&
  (project === undefined || stage.project === project) &&
  (workspaces ?? []).includes(stage.workspace);

function selectKnownCost({ proven, status, cost }: StageFacts, currency: string) {
  if (!proven || status !== "succeeded" || cost.state !== "known") return [];
  const { before, after, completeness, usage } = cost.value;
  if (before === null || after === null || usage?.resources.some(isIntroduced) === true) return [];
  return completeness === "partial" || cost.value.currency !== currency ? [] : [{ before, after }];
}

/** In ms. Values since this time ago are read: a monthly metric has at least one. */
const LOOK_BACK_MS = 45 * DAY_MS;

export type Metric = EndpointOutput<typeof getUnitMetric>["data"];

/** Returns the query for a metric's newest value. */
const buildRange = (metricIdentifier: string, nowMs: number) => ({
  metricIdentifier,
  startTime: formatSecond(nowMs - LOOK_BACK_MS),
  endTime: formatSecond(nowMs),
  timeTruncGroupBy: "DAY" as const,
});

/** Returns a metric's newest value and its time; null: it has none in that range. */
function findNewestValue(
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
