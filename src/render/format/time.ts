import { formatName, type Inline } from "../markup/escape.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Formats a time: "21 Nov 2026, 14:05 UTC". `ms`: milliseconds since 1970 UTC; a value out of range is "?".
 */
export function formatUtcTime(ms: number): Inline {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) return "?" as Inline; // a question mark is plain
  const day = `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}`;
  return `${day}, ${time.toISOString().slice(-13, -8)} UTC` as Inline; // letters, digits, comma and colon
}

/** Formats the day in UTC: "21 Nov 2026". */
export const formatUtcDay = (ms: number): Inline => formatUtcTime(ms).split(",")[0] as Inline; // a part of the same letters and digits

const UNITS = [
  { one: "day", ms: 86_400_000 },
  { one: "hour", ms: 3_600_000 },
  { one: "minute", ms: 60_000 },
] as const;

/**
 * Formats a duration in ms: "3 hours", "1 day", "36 hours". Uses the largest unit that fits exactly or at
 * least twice; at least one minute.
 */
export function formatDuration(ms: number): Inline {
  const unit = UNITS.find((own) => ms >= 2 * own.ms || (ms >= own.ms && ms % own.ms === 0)) ?? UNITS[2];
  const count = Math.max(1, Math.round(ms / unit.ms));
  return `${count} ${unit.one}${count === 1 ? "" : "s"}` as Inline; // digits and a word
}

/** Formats the day of an ISO 8601 text from outside: "20 Nov 2026"; any other text is returned escaped. */
export function formatDay(text: string): Inline {
  const [, year, month = "", day] = /^(\d{4})-(\d{2})-(\d{2})(?:T|$)/.exec(text) ?? [];
  const word = MONTHS[Number(month) - 1];
  if (year === undefined || day === undefined || word === undefined) return formatName(text);
  return `${Number(day)} ${word} ${year}` as Inline; // digits and a word
}
