import { z } from "zod";
import { DAY_MS } from "./clock.ts";
import { toIsoDay } from "./instant.ts";
import { type Decimal, decimal, scale, times } from "./money.ts";

/** The day on which fiscal years start, as `MM-DD`. 29 February is none: most years do not have it. */
export const FiscalYearStart = z.string().refine((text) => z.iso.date().safeParse(`2027-${text}`).success, {
  error: "a day of each year as MM-DD, such as 02-01",
});

/** Days in UTC such as `2027-03-31`, both included. */
export const DaySpan = z.object({ from: z.iso.date(), to: z.iso.date() });
export type DaySpan = Readonly<z.infer<typeof DaySpan>>;

/** The periods in which people plan costs. A month is the calendar's; quarters and years are those of the fiscal year. */
export const PERIOD_UNITS = ["month", "quarter", "year"] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/**
 * Returns the period with a day. A fiscal year starts on `yearStart` (`MM-DD`), a quarter every three months after it: on the same day of
 * the month, or on the month's last one.
 */
export function findPeriod(unit: PeriodUnit, day: string, yearStart: string): DaySpan {
  const months = { month: 1, quarter: 3, year: 12 }[unit];
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const first = unit === "month" ? 1 : Number(yearStart.slice(0, 2));
  const startDay = unit === "month" ? 1 : Number(yearStart.slice(3));
  // Months since the year 0; one more step back where the period of this month starts later than the day.
  const place = year * 12 + month - first;
  const start = place - (((place % months) + months) % months) + first - 1;
  const at = toDay(start, startDay) <= day ? start : start - months;
  return { from: toDay(at, startDay), to: dayBefore(toDay(at + months, startDay)) };
}

/** Returns the period before the one with a day. */
export const findPreviousPeriod = (unit: PeriodUnit, day: string, yearStart: string): DaySpan =>
  findPeriod(unit, dayBefore(findPeriod(unit, day, yearStart).from), yearStart);

/** Returns the first moment after a span of days, in ms since 1970. */
export const toSpanEnd = ({ to }: DaySpan): number => Date.parse(to) + DAY_MS;

/** Returns the part of a span from a day on; before the span it is all of it, and after it nothing: it ends before it begins. */
export const startAt = (span: DaySpan, day: string): DaySpan =>
  day > span.from ? { ...span, from: day } : span;

/**
 * Returns the rest of the fiscal year from a first day on, at the earliest from the first of today's month: what is computed of it changes
 * once a month and not each day. Both times in ms since 1970.
 */
export function findYearRest(firstMs: number, nowMs: number, yearStart: string): DaySpan {
  const today = toIsoDay(nowMs);
  const month = findPeriod("month", today, yearStart);
  return startAt(startAt(findPeriod("year", today, yearStart), month.from), toIsoDay(firstMs));
}

/** A day is a whole number of these parts of a month in each month: 28, 29, 30 and 31 divide it. */
const MONTH_PARTS = 377_580;

/**
 * Returns what a monthly amount costs in a span of days, as an exact multiple that adds up: `fromMonthParts` divides it. A whole month costs
 * the monthly amount, whatever its length, and a day of it the same part of that as every other day.
 */
export function toMonthParts(monthly: Decimal, { from, to }: DaySpan): Decimal {
  let parts = 0;
  for (let start = from; start <= to; ) {
    const { from: first, to: last } = findPeriod("month", start, "01-01");
    const end = last < to ? last : to;
    parts += (countDays(start, end) * MONTH_PARTS) / countDays(first, last);
    start = toIsoDay(Date.parse(end) + DAY_MS);
  }
  return times(monthly, decimal(String(parts)));
}

/** Returns the amount of a sum of month parts, rounded to ten places. */
export const fromMonthParts = (parts: Decimal): Decimal =>
  scale(parts, decimal("1"), decimal(String(MONTH_PARTS)));

const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Returns the day before a day. */
export const dayBefore = (day: string): string => toIsoDay(Date.parse(day) - DAY_MS);

/** A day of a month, counted from January of the year 0, or the month's last day. */
function toDay(month: number, day: number): string {
  const last = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
  return toIsoDay(Date.UTC(Math.floor(month / 12), month % 12, Math.min(day, last)));
}
