import { z } from "zod";

const TIME_OPERATORS = [
  "NOT_IN",
  "IN",
  "EQUALS",
  "NOT_NULL",
  "NULL",
  "LIKE",
  "GREATER_THAN",
  "LESS_THAN",
  "GREATER_THAN_EQUALS_TO",
  "LESS_THAN_EQUALS_TO",
  "AFTER",
  "BEFORE",
] as const;
export type TimeOperator = (typeof TIME_OPERATORS)[number];

const isTimeless = (operator: TimeOperator): boolean => operator === "NULL" || operator === "NOT_NULL";

/**
 * A condition on a point in time (cost management 2.3). `platform-server/area/time-conditions.ts` implements
 * each operator in SQL.
 */
const TimeFilter = z
  .object({
    operator: z
      .enum(TIME_OPERATORS)
      .describe(
        "`EQUALS`: exactly that millisecond. `IN`: one of the timestamps of all `IN` filters of the request. `NOT_IN`: none of those of all `NOT_IN` filters. `LIKE`: the same day in UTC. `AFTER` and `GREATER_THAN_EQUALS_TO`: that time or later. `BEFORE` and `LESS_THAN_EQUALS_TO`: that time or earlier. `GREATER_THAN` and `LESS_THAN`: strictly. `NULL`, `NOT_NULL`: the time is not known, or is; no timestamp needed. A time that is not known fulfils `NULL` only.",
      ),
    timestamp: z
      .int()
      .nullish()
      .describe("Milliseconds since 1970. Required, except for `NULL` and `NOT_NULL`, which ignore it."),
  })
  .refine(
    ({ operator, timestamp }) => isTimeless(operator) || (timestamp !== undefined && timestamp !== null),
    {
      path: ["timestamp"],
      message: "this operator needs a timestamp",
    },
  )
  .meta({ id: "TimeFilter" });
export type TimeFilter = z.output<typeof TimeFilter>;

/** Conditions on points in time; all of them must be true. */
export const TimeFilters = z.array(TimeFilter).max(100).describe("At most 100; all of them must hold.");
