import type { z } from "zod";
import type { AnomalyOverview } from "../../platform/contract/shapes/anomaly.ts";
import { ANOMALY_STATUSES } from "../../platform/contract/shapes/anomaly-filter.ts";
import type { StatusSums } from "./store/metrics.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const STALE_DAYS = 14;

/** An active anomaly about which nothing happened since is stale. In ms since 1970. */
export const staleSince = (nowMs: number): number => nowMs - STALE_DAYS * DAY_MS;

/** Sums by status as they are answered; a status without any counts none. */
export function overviewOf(sums: readonly StatusSums[]): z.input<typeof AnomalyOverview> {
  const of = (status: (typeof ANOMALY_STATUSES)[number]) => {
    const found = sums.find((one) => one.status === status);
    return { count: found?.anomalies ?? 0, costImpact: Number(found?.cost ?? 0), status };
  };
  const [active, ignored, archived, resolved] = ANOMALY_STATUSES;
  return {
    active: of(active),
    ignored: of(ignored),
    archived: of(archived),
    resolved: of(resolved),
    staleAnomalyCount: sums.reduce((total, { stale }) => total + stale, 0),
    staleAnomalyThresholdDays: STALE_DAYS,
  };
}
