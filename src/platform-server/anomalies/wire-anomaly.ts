import type { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { type Anomalies, ENTITIES } from "../../platform/contract/anomalies.ts";
import type { Row } from "../tables/tables.ts";

export type AnomalyRow = Row<"platform_anomalies">;
type WireAnomaly = z.input<typeof Anomalies>[number];

/** Columns that keep a member of an import's line, which answers show, as it is; null where it is not stated. */
export const SHOWN_COLUMNS = {
  time_ms: "time",
  end_ms: "endTime",
  status_ms: "statusUpdatedAt",
  id: "id",
  resource_name: "resourceName",
  resource_info: "resourceInfo",
  details: "details",
  status: "status",
  comment: "comment",
  cloud_provider: "cloudProvider",
  feedback: "userFeedback",
  criticality: "criticality",
  perspective_id: "perspectiveId",
  perspective_name: "perspectiveName",
  unit_metric_name: "unitMetricName",
  status_by: "statusUpdatedBy",
  cost_preferences: "costPreferences",
} as const satisfies Partial<Record<keyof AnomalyRow, keyof WireAnomaly>>;
export const AMOUNT_COLUMNS = {
  actual_amount: "actualAmount",
  expected_amount: "expectedAmount",
  anomaly_score: "anomalyScore",
  expected_cost_upper: "expectedCostUpper",
  expected_cost_lower: "expectedCostLower",
} as const satisfies Partial<Record<keyof AnomalyRow, keyof WireAnomaly>>;

const readColumns = <Member extends string>(
  columns: Readonly<Partial<Record<keyof AnomalyRow, Member>>>,
  read: (column: keyof AnomalyRow) => unknown,
) =>
  Object.fromEntries(
    Object.entries(columns).map(([column, member]) => [member, read(column as keyof AnomalyRow)]),
  ) as Pick<WireAnomaly, Extract<Member, keyof WireAnomaly>>; // only what the contract lets in is ever stored

/** Returns an anomaly as the answer contains it, or a group, of which most is not known. */
export function toWireAnomaly(row: Partial<AnomalyRow>, nowMs: number): WireAnomaly {
  const { time_ms: time = null, end_ms: endTime = null, status_ms: set = null } = row;
  const expectedAmount = toNumber(row.expected_amount);
  const spend = toNumber(row.anomalous_spend);
  const endMs = endTime ?? (row.ongoing === true ? nowMs : null);
  return {
    ...readColumns(AMOUNT_COLUMNS, (column) => toNumber(row[column])),
    anomalousSpend: spend,
    anomalousSpendPercentage: spend === null || !expectedAmount ? null : (spend / expectedAmount) * 100,
    ...readColumns(SHOWN_COLUMNS, (column) => row[column] ?? null),
    anomalyRelativeTime: formatRelativeTime(time, nowMs),
    duration: time === null || endMs === null ? null : Math.max(0, endMs - time),
    ongoingAnomaly: row.ongoing ?? null,
    // One entry for each member.
    entity: Object.fromEntries(
      ENTITIES.map(({ member }) => [member, row.entity?.[member] ?? null]),
    ) as WireAnomaly["entity"],
    statusRelativeTime: formatRelativeTime(set, nowMs),
    statusUpdateRelativeTime: formatRelativeTime(set, nowMs),
    dailyBreakdown: row.daily_breakdown ?? [],
    alertedRecipients: row.alerted_recipients ?? [],
    costCategoryDetails: row.cost_categories ?? [],
    tags: row.tags ?? {},
  };
}

/** An exact decimal as the nearest number. */
export const toNumber = (decimal: unknown): number | null =>
  decimal === null || decimal === undefined ? null : Number(decimal);

/** From the coarsest down; none is coarser than a day, because months and years differ in length. */
const UNITS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat("en-US");

/** Formats a time relative to now: `3 days ago`, `in 2 hours`; null: it is not known. Both times in ms since 1970. */
function formatRelativeTime(timeMs: number | null, nowMs: number): string | null {
  if (timeMs === null) return null;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(timeMs - nowMs) >= each) ?? [null, 1];
  return unit === null ? "just now" : RELATIVE.format(Math.trunc((timeMs - nowMs) / length), unit);
}
