import type { anomalies } from "../../src/platform/contract/anomalies.ts";
import type { ClientInput } from "../../src/platform/contract/endpoint.ts";

/** An anomaly as a test imports it; amounts in whole cents, so that sums are exact. */
export interface NaiveAnomaly {
  readonly id: string;
  readonly time: number | null;
  readonly actualCents: number;
  readonly spendCents: number;
  readonly status: string;
  readonly statusUpdatedAt: number | null;
  readonly anomalyView: string;
  readonly allowListed: boolean;
  readonly details: string | null;
  readonly perspectiveId: string | null;
  readonly unitMetricName: string | null;
  /** Members of `entity`. */
  readonly entity: Readonly<Record<string, string | null>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly costCategoryDetails: readonly {
    readonly costCategory: string;
    readonly costBucket: string | null;
  }[];
}

export type Request = NonNullable<ClientInput<typeof anomalies.listAnomalies>["body"]>;
export type Filter = NonNullable<Request["anomalyFilterPropertiesDTO"]>;

const DAY = 86_400_000;

/** Lists of the filter and what they are compared with. */
export const LISTS: Readonly<Record<string, (one: NaiveAnomaly) => string | null | undefined>> = {
  ...Object.fromEntries(
    [
      "k8sClusterName",
      "k8sNamespace",
      "k8sWorkloadName",
      "k8sServiceName",
      "cloud3Project",
      "cloud3Product",
      "cloud3SKUDescription",
      "cloud1Account",
      "cloud1Service",
      "cloud1UsageType",
      "cloud2SubscriptionGuid",
      "cloud2ResourceGroup",
      "aiVendor1ProjectId",
      "aiVendor1Model",
      "aiVendor1UsageType",
      "aiVendor2ProjectId",
      "aiVendor2Model",
      "aiVendor2UsageType",
    ].map((member) => [`${member}s`, (one: NaiveAnomaly) => one.entity[member]]),
  ),
  cloud2MeterCategories: (one) => one.entity["cloud2MeterCategory"],
  anomalyIds: (one) => one.id,
  perspectiveIds: (one) => one.perspectiveId,
  unitMetricNames: (one) => one.unitMetricName,
  status: (one) => one.status,
};

const isAmong = (wanted: readonly unknown[] | null | undefined, fits: (value: unknown) => boolean) =>
  wanted === undefined || wanted === null || wanted.length === 0 || wanted.some(fits);

function fitsCategories(one: NaiveAnomaly, filter: Filter): boolean {
  const details = one.costCategoryDetails;
  const named = isAmong(filter.costCategories, (name) =>
    details.some(({ costCategory }) => costCategory === name),
  );
  const wanted = filter.costCategoryDTOs ?? [];
  const bucketed = wanted.some((dto) =>
    details.some(
      ({ costCategory, costBucket }) =>
        costCategory === dto.costCategory && (!dto.costBucket || costBucket === dto.costBucket),
    ),
  );
  return named && (wanted.length === 0 || bucketed);
}

function fitsSearch(one: NaiveAnomaly, filter: Filter): boolean {
  const texts = [one.id, one.details, one.perspectiveId, one.unitMetricName, ...Object.values(one.entity)];
  return isAmong(filter.searchText, (wanted) =>
    texts.some((text) => text?.toLowerCase().includes(String(wanted).toLowerCase())),
  );
}

/** Whether an anomaly fits a request, member by member. */
export function fits(one: NaiveAnomaly, request: Request): boolean {
  const filter = request.anomalyFilterPropertiesDTO ?? {};
  if (one.allowListed && request.showWhitelistedAnomalies !== true) return false;
  const lists = Object.entries(LISTS).every(([member, value]) =>
    isAmong(filter[member as keyof Filter] as string[] | undefined, (wanted) => value(one) === wanted),
  );
  return (
    lists &&
    fitsCategories(one, filter) &&
    fitsSearch(one, filter) &&
    one.actualCents / 100 >= (filter.minActualAmount ?? Number.NEGATIVE_INFINITY) &&
    one.spendCents / 100 >= (filter.minAnomalousSpend ?? Number.NEGATIVE_INFINITY) &&
    (!filter.anomalyView || one.anomalyView === filter.anomalyView) &&
    Object.entries(filter.tags ?? {}).every(([key, value]) => one.tags[key] === value)
  );
}

/** What `metrics` says of these. */
export function overview(all: readonly NaiveAnomaly[], nowMs: number) {
  const of = (status: string) => {
    const found = all.filter((one) => one.status === status);
    return { count: found.length, costImpact: cents(found) / 100, status };
  };
  const touched = (one: NaiveAnomaly) => Math.max(one.time ?? -1, one.statusUpdatedAt ?? -1);
  const stale = all.filter(
    (one) => one.status === "ACTIVE" && touched(one) >= 0 && touched(one) < nowMs - 14 * DAY,
  );
  return {
    active: of("ACTIVE"),
    ignored: of("IGNORED"),
    archived: of("ARCHIVED"),
    resolved: of("RESOLVED"),
    staleAnomalyCount: stale.length,
    staleAnomalyThresholdDays: 14,
  };
}

export const cents = (all: readonly NaiveAnomaly[]): number =>
  all.reduce((sum, { spendCents }) => sum + spendCents, 0);

/** What `metrics/time-series` says of these. */
export function series(all: readonly NaiveAnomaly[], nowMs: number) {
  const days = new Map<string, NaiveAnomaly[]>();
  for (const one of all) {
    if (one.time === null) continue;
    const day = `${Date.parse(new Date(one.time).toISOString().slice(0, 10))}`;
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return Object.fromEntries([...days].map(([day, ofDay]) => [day, overview(ofDay, nowMs)]));
}

/** What `mean-resolution-time` says of these. */
export function meanResolution(all: readonly NaiveAnomaly[]): number | null {
  const took = all.flatMap(({ status, time, statusUpdatedAt }) =>
    status === "RESOLVED" && time !== null && statusUpdatedAt !== null && statusUpdatedAt >= time
      ? [statusUpdatedAt - time]
      : [],
  );
  return took.length === 0 ? null : took.reduce((a, b) => a + b, 0) / took.length;
}

/** As a line of an import. */
export const asLine = ({ actualCents, spendCents, ...rest }: NaiveAnomaly) => ({
  ...rest,
  actualAmount: actualCents / 100,
  expectedAmount: 1,
  anomalousSpend: spendCents / 100,
  cloudProvider: "UNKNOWN",
});
