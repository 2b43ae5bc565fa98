import { sql } from "kysely";
import { DAY_MS } from "../../kernel/clock.ts";
import type { TimeOperator } from "../../platform/contract/shapes/time-filter.ts";
import type { Sql } from "./perspective-filter.ts";

/** A condition on a point in time. `timestamp`: ms since 1970; `NULL` and `NOT_NULL` require none. */
export interface TimeCondition {
  readonly operator: TimeOperator;
  readonly timestamp?: number | null | undefined;
}

/** The start of the day of `time_ms` in UTC, ms since 1970. */
export const START_OF_DAY = sql<number>`time_ms / ${sql.lit(DAY_MS)} * ${sql.lit(DAY_MS)}`;

const COMPARISONS = {
  NOT_IN: sql`<>`,
  EQUALS: sql`=`,
  GREATER_THAN: sql`>`,
  LESS_THAN: sql`<`,
  GREATER_THAN_EQUALS_TO: sql`>=`,
  LESS_THAN_EQUALS_TO: sql`<=`,
  AFTER: sql`>=`,
  BEFORE: sql`<=`,
} as const;

/**
 * Conditions on `time_ms` which must all hold. The times of all `IN` are one set, because each condition holds one time only.
 * SQL's own logic makes a time that is not known fulfil `NULL` and nothing else.
 */
export function buildTimeConditions(conditions: readonly TimeCondition[]): readonly Sql[] {
  const allowed = conditions.flatMap((one) => (one.operator === "IN" ? [one.timestamp ?? null] : []));
  const set = allowed.length === 0 ? [] : [sql<boolean>`time_ms = any(${allowed}::bigint[])`];
  return [...set, ...conditions.flatMap(buildTimeCondition)];
}

function buildTimeCondition({ operator, timestamp }: TimeCondition): readonly Sql[] {
  if (operator === "IN") return [];
  if (operator === "NULL") return [sql<boolean>`time_ms is null`];
  if (operator === "NOT_NULL") return [sql<boolean>`time_ms is not null`];
  // The contract lets no other operator pass without a time; here it would fit nothing.
  if (timestamp === undefined || timestamp === null) return [sql<boolean>`false`];
  if (operator !== "LIKE") return [sql<boolean>`time_ms ${COMPARISONS[operator]} ${timestamp}`];
  const day = Math.floor(timestamp / DAY_MS) * DAY_MS;
  return [sql<boolean>`(time_ms >= ${day} and time_ms < ${day + DAY_MS})`];
}
