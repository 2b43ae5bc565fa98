import { z } from "zod";
import { DAY_MS } from "./clock.ts";
import { toIsoDay } from "./instant.ts";

/** The day on which fiscal years start, as `MM-DD`. 29 February is none: most years do not have it. */
export const FiscalYearStart = z.string().refine((text) => z.iso.date().safeParse(`2027-${text}`).success, {
  error: "must be a day of each year as MM-DD, such as 02-01",
});

/** Days in UTC such as `2027-03-31`, both included. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

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

/** Returns the day before a day. */
export const dayBefore = (day: string): string => toIsoDay(Date.parse(day) - DAY_MS);

/** A day of a month, counted from January of the year 0, or the month's last day. */
function toDay(month: number, day: number): string {
  const last = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
  return toIsoDay(Date.UTC(Math.floor(month / 12), month % 12, Math.min(day, last)));
}
