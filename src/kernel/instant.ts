import { z } from "zod";
import { DAY_MS } from "./clock.ts";

const EXPECTED =
  "expected a time such as 2026-01-31T00:00:00Z, 2026-01-31T00:00+01:00 (in an address, + is %2B) or 2026-01-31";

/** End of the year 9999: the last instant with a four-digit year. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const FREE = { offset: true, local: true } as const;

/** A text of ISO 8601 that names one instant: a day, or a day with a time, with or without seconds and an offset. */
export const instant = z
  .union([z.iso.datetime(FREE), z.iso.datetime({ ...FREE, precision: -1 }), z.iso.date()], {
    error: ({ input }) => (input === undefined ? `is missing; ${EXPECTED}` : EXPECTED),
  })
  .refine((text) => text.length <= 64 && parseInstant(text) >= 0 && parseInstant(text) <= LAST_MS, {
    error: "expected a time from 1970 to 9999, of at most 64 characters",
  });

/** Returns the time of a text that `instant` accepts, in ms since 1970. Without an offset it is in UTC; a day begins at midnight. */
export const parseInstant = (text: string): number =>
  Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes("T") ? text : `${text}Z`);

/** Returns the day of a moment (ms since 1970) in UTC, such as `2027-03-31`. */
export const toIsoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the first moment of the week of a moment, a Monday in UTC, both in ms since 1970. */
export const startOfWeek = (ms: number): number =>
  Math.floor((ms - FIRST_MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + FIRST_MONDAY_MS;
/** 5 January 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Returns the first moment after a day such as `2027-03-31` in UTC, in ms since 1970; null: the calendar has no such day. */
export const parseDayEnd = (text: string): number | null =>
  z.iso.date().safeParse(text).success ? Date.parse(text) + DAY_MS : null;
