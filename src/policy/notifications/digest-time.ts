import { DAY_MS, HOUR_MS } from "../../kernel/clock.ts";
import { startOfWeek } from "../../kernel/instant.ts";
import type { TargetRules } from "./pull-notices.ts";

/** Time of day of the digests, in ms after midnight in UTC. */
const DIGEST_MS = 8 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** When the next digest after `nowMs` is sent, in ms since 1970; null: at once. */
export function findDigestMs(digest: TargetRules["digest"], nowMs: number): number | null {
  if (digest === "none") return null;
  const [everyMs, firstMs] = digest === "daily" ? [DAY_MS, DIGEST_MS] : [WEEK_MS, startOfWeek(0) + DIGEST_MS];
  return firstMs + (Math.floor((nowMs - firstMs) / everyMs) + 1) * everyMs;
}

/** A week that a report is about, and when it is sent: all in ms since 1970. */
export interface ReportedWeek {
  /** Its first Monday, and the moment after its Sunday. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly sendMs: number;
}

/** The week whose report is due on a Monday, from its first moment until a day after it is sent; null: on other days. */
export function findReportedWeek(nowMs: number): ReportedWeek | null {
  const toMs = startOfWeek(nowMs);
  const sendMs = toMs + DIGEST_MS;
  return nowMs < sendMs + DAY_MS ? { fromMs: toMs - WEEK_MS, toMs, sendMs } : null;
}
