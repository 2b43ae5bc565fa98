import { z } from "zod";

/** `2027-03-31`: a day that the calendar has, as the first moment after it in UTC, ms since 1970. */
export const day = z
  .string({ error: "a day, such as 2027-03-31" })
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: "a day, such as 2027-03-31", abort: true })
  .refine((text) => z.iso.date().safeParse(text).success, { error: "a day that the calendar has" })
  .transform((text): number => Date.parse(text) + DAY_MS)
  .meta({ description: "A day.", examples: ["2027-03-31"] });

const DAY_MS = 86_400_000;
