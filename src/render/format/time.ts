import type { Inline } from "../escape.ts";

/** "21 Nov 2026, 14:05 UTC". `ms`: milliseconds since 1970 UTC; out of range is written as "?". */
export function utcTime(ms: number): Inline {
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return "?" as Inline; // a question mark is plain
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
  return `${format.format(ms)} UTC` as Inline; // letters, digits, comma and colon
}
