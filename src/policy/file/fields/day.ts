import { z } from "zod";

/** `2027-03-31`: a day that the calendar has, as the first moment after it in UTC, ms since 1970. */
export const day = z
  .string({ error: "a day, such as 2027-03-31" })
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: "a day, such as 2027-03-31", abort: true })
  .refine((text) => z.iso.date().safeParse(text).success, { error: "a day that the calendar has" })
  .transform((text): number => (daysSince1970(text) + 1) * DAY_MS)
  .meta({ description: "A day.", examples: ["2027-03-31"] });

const DAY_MS = 86_400_000;

/** Years start in March, so that the leap day is the last day of its year. */
function daysSince1970(text: string): number {
  const [year = 0, month = 0, date = 0] = text.split("-").map(Number);
  const inYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + date - 1;
  const years = month <= 2 ? year - 1 : year;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leapDays + inYear - DAYS_BEFORE_1970;
}

/** From 1 March of the year 0. */
const DAYS_BEFORE_1970 = 719_468;
