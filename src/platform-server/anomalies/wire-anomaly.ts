import type { z } from "zod";
import type { Anomalies } from "../../platform/contract/anomalies.ts";
import { ENTITY_COLUMNS } from "./fields.ts";
import type { AnomalyGroup, AnomalyRow } from "./store/list.ts";

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

const MINUTE_MS = 60_000;
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
