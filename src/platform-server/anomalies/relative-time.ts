const MINUTE_MS = 60_000;
/** From the coarsest down; none is coarser than a day, because months and years differ in length. */
const UNITS = [
  ["day", 24 * 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
] as const;

const words = new Intl.RelativeTimeFormat("en");

/** How people say when something was: `3 days ago`, `in 2 hours`; null: it is not known. Both times in ms since 1970. */
export function relativeTime(timeMs: number | null, nowMs: number): string | null {
  if (timeMs === null) return null;
  const ahead = timeMs - nowMs;
  for (const [unit, length] of UNITS) {
    const amount = Math.trunc(ahead / length);
    if (amount !== 0) return words.format(amount, unit);
  }
  return "just now";
}
