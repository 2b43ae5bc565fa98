import type { z } from "zod";
import { MINUTE_MS } from "../../kernel/clock.ts";
import type { Anomalies, EntityMember } from "../../platform/contract/anomalies.ts";
import type { AnomalyFilter, anomalyField } from "../../platform/contract/shapes/anomaly-filter.ts";
import type { AnomalyGroup, AnomalyRow, ShownColumn } from "./store/list.ts";
import type { TextColumn } from "./store/tables.ts";

type WireAnomaly = z.input<typeof Anomalies>[number];
/** An anomaly, or a group of which most is not known. */
type AnomalyColumns = {
  readonly [Column in Exclude<keyof AnomalyRow, "account" | "view" | "search">]: AnomalyRow[Column] | null;
};

/** Returns an anomaly as the answer contains it. */
export const toWireAnomaly = (row: AnomalyColumns, nowMs: number): WireAnomaly => ({
  ...toWireAmounts(row),
  ...toWireTimes(row, nowMs),
  id: row.id,
  resourceName: row.resource_name,
  resourceInfo: row.resource_info,
  entity: toWireEntity(row),
  details: row.details,
  // The columns hold the contract's own words.
  status: row.status as WireAnomaly["status"],
  comment: row.comment,
  cloudProvider: row.cloud_provider as WireAnomaly["cloudProvider"], // the same
  userFeedback: row.feedback as WireAnomaly["userFeedback"], // the same
  criticality: row.criticality as WireAnomaly["criticality"], // the same
  perspectiveId: row.perspective_id,
  perspectiveName: row.perspective_name,
  unitMetricName: row.unit_metric_name,
  ongoingAnomaly: row.ongoing,
  statusUpdatedBy: row.status_by,
  dailyBreakdown: row.daily_breakdown ?? [],
  alertedRecipients: row.alerted_recipients ?? [],
  costPreferences: row.cost_preferences,
  costCategoryDetails: row.cost_categories ?? [],
  tags: row.tags ?? {},
});

export type AnomalyField = z.output<typeof anomalyField>;

/** The entities of an anomaly: the member in answers and imports, and the column that stores it. */
export const ENTITY_COLUMNS = {
  k8sClusterName: "k8s_cluster_name",
  k8sNamespace: "k8s_namespace",
  k8sWorkloadName: "k8s_workload_name",
  k8sServiceName: "k8s_service_name",
  cloud3Project: "cloud3_project",
  cloud3Product: "cloud3_product",
  cloud3SKUDescription: "cloud3_sku_description",
  cloud1Account: "cloud1_account",
  cloud1Service: "cloud1_service",
  cloud1UsageType: "cloud1_usage_type",
  cloud2SubscriptionGuid: "cloud2_subscription_guid",
  cloud2ResourceGroup: "cloud2_resource_group",
  cloud2MeterCategory: "cloud2_meter_category",
  aiVendor1ProjectId: "ai_vendor1_project_id",
  aiVendor1Model: "ai_vendor1_model",
  aiVendor1UsageType: "ai_vendor1_usage_type",
  aiVendor2ProjectId: "ai_vendor2_project_id",
  aiVendor2Model: "ai_vendor2_model",
  aiVendor2UsageType: "ai_vendor2_usage_type",
} as const satisfies Readonly<Record<EntityMember, TextColumn>>;

/** Lists of the filter with values of one column. */
export const LIST_COLUMNS = {
  k8sClusterNames: "k8s_cluster_name",
  k8sNamespaces: "k8s_namespace",
  k8sWorkloadNames: "k8s_workload_name",
  k8sServiceNames: "k8s_service_name",
  cloud3Projects: "cloud3_project",
  cloud3Products: "cloud3_product",
  cloud3SKUDescriptions: "cloud3_sku_description",
  cloud1Accounts: "cloud1_account",
  cloud1Services: "cloud1_service",
  cloud1UsageTypes: "cloud1_usage_type",
  cloud2SubscriptionGuids: "cloud2_subscription_guid",
  cloud2ResourceGroups: "cloud2_resource_group",
  cloud2MeterCategories: "cloud2_meter_category",
  aiVendor1ProjectIds: "ai_vendor1_project_id",
  aiVendor1Models: "ai_vendor1_model",
  aiVendor1UsageTypes: "ai_vendor1_usage_type",
  aiVendor2ProjectIds: "ai_vendor2_project_id",
  aiVendor2Models: "ai_vendor2_model",
  aiVendor2UsageTypes: "ai_vendor2_usage_type",
  anomalyIds: "id",
  perspectiveIds: "perspective_id",
  unitMetricNames: "unit_metric_name",
  status: "status",
} as const satisfies Readonly<Partial<Record<keyof AnomalyFilter, TextColumn>>>;

/** Columns by which a list can be sorted, grouped and aggregated. */
export const FIELD_COLUMNS: Readonly<Record<AnomalyField, ShownColumn>> = {
  ANOMALY_ID: "id",
  ANOMALY_TIME: "time_ms",
  ACTUAL_COST: "actual_amount",
  EXPECTED_COST: "expected_amount",
  ANOMALOUS_SPEND: "anomalous_spend",
  STATUS: "status",
  CRITICALITY: "criticality",
  CLOUD_PROVIDER: "cloud_provider",
  RESOURCE_NAME: "resource_name",
  PERSPECTIVE_ID: "perspective_id",
  PERSPECTIVE_NAME: "perspective_name",
  UNIT_METRIC_NAME: "unit_metric_name",
  CLUSTER_NAME: "k8s_cluster_name",
  NAMESPACE: "k8s_namespace",
  WORKLOAD: "k8s_workload_name",
  SERVICE_NAME: "k8s_service_name",
  CLOUD_1_ACCOUNT: "cloud1_account",
  CLOUD_1_SERVICE: "cloud1_service",
  CLOUD_1_USAGE_TYPE: "cloud1_usage_type",
  CLOUD_2_SUBSCRIPTION_GUID: "cloud2_subscription_guid",
  CLOUD_2_RESOURCE_GROUP_NAME: "cloud2_resource_group",
  CLOUD_2_METER_CATEGORY: "cloud2_meter_category",
  CLOUD_3_PROJECT: "cloud3_project",
  CLOUD_3_PRODUCT: "cloud3_product",
  CLOUD_3_SKU_DESCRIPTION: "cloud3_sku_description",
  AI_VENDOR_1_PROJECT_ID: "ai_vendor1_project_id",
  AI_VENDOR_1_MODEL: "ai_vendor1_model",
  AI_VENDOR_1_USAGE_TYPE: "ai_vendor1_usage_type",
  AI_VENDOR_2_PROJECT_ID: "ai_vendor2_project_id",
  AI_VENDOR_2_MODEL: "ai_vendor2_model",
  AI_VENDOR_2_USAGE_TYPE: "ai_vendor2_usage_type",
};

const NOTHING: AnomalyColumns = {
  id: null,
  time_ms: null,
  end_ms: null,
  ongoing: null,
  actual_amount: null,
  expected_amount: null,
  anomalous_spend: null,
  expected_cost_lower: null,
  expected_cost_upper: null,
  anomaly_score: null,
  resource_name: null,
  resource_info: null,
  details: null,
  comment: null,
  criticality: null,
  cloud_provider: null,
  status: null,
  status_by: null,
  status_ms: null,
  status_set: null,
  feedback: null,
  feedback_set: null,
  perspective_id: null,
  perspective_name: null,
  unit_metric_name: null,
  tags: null,
  cost_categories: null,
  daily_breakdown: null,
  alerted_recipients: null,
  cost_preferences: null,
  allow_listed: null,
  // Made of the columns that it is read by.
  ...(Object.fromEntries(Object.values(ENTITY_COLUMNS).map((column) => [column, null])) as Record<
    (typeof ENTITY_COLUMNS)[keyof typeof ENTITY_COLUMNS],
    null
  >),
};

/**
 * Returns a group as the answer contains it: its grouping values, its size, and the requested aggregations.
 */
export const toWireGroup = (
  group: AnomalyGroup,
  aggregations: readonly Pick<NonNullable<WireAnomaly["aggregations"]>[number], "operationType" | "field">[],
  nowMs: number,
): WireAnomaly => ({
  // Each column's value has the column's own type.
  ...toWireAnomaly({ ...NOTHING, ...(group.columns as Partial<AnomalyColumns>) }, nowMs),
  anomalyCount: group.anomalies,
  aggregations: aggregations.map((one, index) => ({ ...one, value: toNumber(group.values[index] ?? null) })),
});

/** An exact decimal as the nearest number. */
const toNumber = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

function toWireAmounts(row: AnomalyColumns) {
  const expected = toNumber(row.expected_amount);
  const spend = toNumber(row.anomalous_spend);
  return {
    actualAmount: toNumber(row.actual_amount),
    expectedAmount: expected,
    anomalousSpend: spend,
    anomalousSpendPercentage: spend === null || !expected ? null : (spend / expected) * 100,
    anomalyScore: toNumber(row.anomaly_score),
    expectedCostUpper: toNumber(row.expected_cost_upper),
    expectedCostLower: toNumber(row.expected_cost_lower),
  };
}

function toWireTimes(
  { time_ms: time, end_ms: ended, status_ms: set, ongoing }: AnomalyColumns,
  nowMs: number,
) {
  const end = ended ?? (ongoing === true ? nowMs : null);
  return {
    time,
    endTime: ended,
    anomalyRelativeTime: formatRelativeTime(time, nowMs),
    duration: time === null || end === null ? null : Math.max(0, end - time),
    statusUpdatedAt: set,
    statusRelativeTime: formatRelativeTime(set, nowMs),
    statusUpdateRelativeTime: formatRelativeTime(set, nowMs),
  };
}

const toWireEntity = (row: AnomalyColumns): WireAnomaly["entity"] =>
  Object.fromEntries(
    Object.entries(ENTITY_COLUMNS).map(([member, column]) => [member, row[column]]),
  ) as WireAnomaly["entity"]; // one entry for each member

/** From the coarsest down; none is coarser than a day, because months and years differ in length. */
const UNITS = [
  ["day", 24 * 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
] as const;

/** Formats a time relative to now: `3 days ago`, `in 2 hours`; null: it is not known. Both times in ms since 1970. */
function formatRelativeTime(timeMs: number | null, nowMs: number): string | null {
  if (timeMs === null) return null;
  const ahead = timeMs - nowMs;
  for (const [unit, length] of UNITS) {
    const amount = Math.abs(Math.trunc(ahead / length));
    const words = `${amount.toLocaleString("en-US")} ${unit}${amount === 1 ? "" : "s"}`;
    if (amount > 0) return ahead < 0 ? `${words} ago` : `in ${words}`;
  }
  return "just now";
}
