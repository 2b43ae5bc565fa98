import { type Expression, type SqlBool, sql } from "kysely";

/** A condition on a point in time. `timestamp`: milliseconds since 1970; `NULL` and `NOT_NULL` need none. */
export interface TimeCondition {
  readonly operator:
    | "NOT_IN"
    | "IN"
    | "EQUALS"
    | "NOT_NULL"
    | "NULL"
    | "LIKE"
    | "GREATER_THAN"
    | "LESS_THAN"
    | "GREATER_THAN_EQUALS_TO"
    | "LESS_THAN_EQUALS_TO"
    | "AFTER"
    | "BEFORE";
  readonly timestamp?: number | null | undefined;
}

export const DAY_MS = 24 * 60 * 60 * 1000;

type Column = "time_ms";
type TimedOperator = Exclude<TimeCondition["operator"], "NULL" | "NOT_NULL" | "IN">;

const COMPARE: Readonly<
  Record<TimedOperator, (time: Expression<unknown>, at: number) => Expression<SqlBool>>
> = {
  NOT_IN: (time, at) => sql<SqlBool>`${time} <> ${at}`,
  EQUALS: (time, at) => sql<SqlBool>`${time} = ${at}`,
  LIKE: (time, at) => {
    const day = Math.floor(at / DAY_MS) * DAY_MS;
    return sql<SqlBool>`(${time} >= ${day} and ${time} < ${day + DAY_MS})`;
  },
  GREATER_THAN: (time, at) => sql<SqlBool>`${time} > ${at}`,
  LESS_THAN: (time, at) => sql<SqlBool>`${time} < ${at}`,
  GREATER_THAN_EQUALS_TO: (time, at) => sql<SqlBool>`${time} >= ${at}`,
  LESS_THAN_EQUALS_TO: (time, at) => sql<SqlBool>`${time} <= ${at}`,
  AFTER: (time, at) => sql<SqlBool>`${time} >= ${at}`,
  BEFORE: (time, at) => sql<SqlBool>`${time} <= ${at}`,
};

/**
 * Conditions which must all hold. The times of all `IN` are one set, because each condition holds one time only.
 * SQL's own logic makes a time that is not known fulfil `NULL` and nothing else.
 */
export function timeConditions(
  column: Column,
  conditions: readonly TimeCondition[],
): readonly Expression<SqlBool>[] {
  const time = sql.ref(column);
  const allowed = conditions.flatMap((one) => (one.operator === "IN" ? [one.timestamp ?? null] : []));
  const set = allowed.length === 0 ? [] : [sql<SqlBool>`${time} = any(${allowed}::bigint[])`];
  return [...set, ...conditions.flatMap(({ operator, timestamp }) => single(time, operator, timestamp))];
}

function single(
  time: Expression<unknown>,
  operator: TimeCondition["operator"],
  timestamp: number | null | undefined,
): readonly Expression<SqlBool>[] {
  if (operator === "IN") return [];
  if (operator === "NULL") return [sql<SqlBool>`${time} is null`];
  if (operator === "NOT_NULL") return [sql<SqlBool>`${time} is not null`];
  // The contract lets no other operator pass without a time; here it would fit nothing.
  if (timestamp === undefined || timestamp === null) return [sql<SqlBool>`false`];
  return [COMPARE[operator](time, timestamp)];
}
