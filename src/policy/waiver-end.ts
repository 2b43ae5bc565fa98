import { DAY_MS } from "../kernel/clock.ts";
import type { Finding } from "./model/finding.ts";
import type { Waiver } from "./model/policy.ts";

/** Number of days before the end of a waiver from which the comment reminds of it. */
const REMIND_DAYS = 14;

/** Days until a waiver ends, rounded up: 1 on its last day. Null: the end is not near. */
export function countDaysUntilEnd(untilMs: number, nowMs: number): number | null {
  const days = Math.ceil((untilMs - nowMs) / DAY_MS);
  return days <= REMIND_DAYS ? Math.max(days, 0) : null;
}

/**
 * The next time at which the statements about the waivers of a verdict change: a waiver ends, its reminder begins, or its remaining days
 * decrease; ms since 1970. Null: never. Considers every waiver of a rule, because any of them may cover the violation.
 */
export function findNextWaiverChange(
  findings: readonly Finding[],
  waivers: readonly Waiver[],
  nowMs: number,
): number | null {
  const waived = new Set(findings.flatMap(({ rule, waiver }) => (waiver === null ? [] : [rule])));
  const changes = waivers
    .filter(({ rule, untilMs }) => waived.has(rule) && untilMs > nowMs)
    .map(({ untilMs }) => {
      const days = Math.ceil((untilMs - nowMs) / DAY_MS);
      return untilMs - Math.min(days - 1, REMIND_DAYS) * DAY_MS;
    });
  return changes.length === 0 ? null : Math.min(...changes);
}
