import type { Finding } from "../model/finding.ts";
import type { Waiver } from "../model/policy.ts";

const DAY_MS = 86_400_000;
/** So many days before an exception ends, whoever reads the comment is reminded of it. */
const REMIND_DAYS = 14;

/** In how many days an exception ends, counted up: 1 on its last day. Null: not soon. */
export function countDaysUntilEnd(untilMs: number, nowMs: number): number | null {
  const days = Math.ceil((untilMs - nowMs) / DAY_MS);
  return days <= REMIND_DAYS ? Math.max(days, 0) : null;
}

/**
 * When what is said about exceptions that a verdict rests on is no longer right: one ends, begins to be reminded of, or has a
 * day less; ms since 1970. Null: never. Of several exceptions for one rule any may be the one that carries it.
 */
export function findNextWaiverChange(
  findings: readonly Finding[],
  waivers: readonly Waiver[],
  nowMs: number,
): number | null {
  const resting = new Set(findings.flatMap(({ rule, waiver }) => (waiver === null ? [] : [rule])));
  const changes = waivers
    .filter(({ rule, untilMs }) => resting.has(rule) && untilMs > nowMs)
    .map(({ untilMs }) => {
      const days = Math.ceil((untilMs - nowMs) / DAY_MS);
      return untilMs - Math.min(days - 1, REMIND_DAYS) * DAY_MS;
    });
  return changes.length === 0 ? null : Math.min(...changes);
}
