import { type Kysely, sql } from "kysely";
import { START_OF_DAY } from "../../area/time-conditions.ts";
import { type AnomalyCriteria, selectMatchingAnomalies } from "./list.ts";
import type { AnomalyTables } from "./tables.ts";

/** Sums over the anomalies of one status. `cost`: anomalous spend, an exact decimal text. */
export interface StatusSums {
  readonly status: string;
  readonly anomalies: number;
  readonly cost: string;
  /** Number of active anomalies that neither started nor had their status set since the given time. */
  readonly stale: number;
}

const SUMS = {
  anomalies: sql<number>`count(*)`,
  cost: sql<string>`sum(anomalous_spend)::text`,
};

const buildStaleCondition = (sinceMs: number) =>
  sql<number>`count(*) filter (where status = 'ACTIVE' and greatest(time_ms, status_ms) < ${sinceMs}::bigint)`;

/** Returns one row for each occurring status, in the order of the statuses. */
export const sumByStatus = (
  db: Kysely<AnomalyTables>,
  criteria: AnomalyCriteria,
  staleSinceMs: number,
): Promise<StatusSums[]> =>
  selectMatchingAnomalies(db, criteria)
    .select([
      "status",
      SUMS.anomalies.as("anomalies"),
      SUMS.cost.as("cost"),
      buildStaleCondition(staleSinceMs).as("stale"),
    ])
    .groupBy("status")
    .orderBy("status")
    .execute();

/**
 * Returns one row for each occurring day (its start in UTC, ms since 1970) and status, in order. Anomalies
 * with an unknown time are omitted.
 */
export const sumByDay = (
  db: Kysely<AnomalyTables>,
  criteria: AnomalyCriteria,
  staleSinceMs: number,
): Promise<(StatusSums & { readonly day: number })[]> =>
  selectMatchingAnomalies(db, criteria)
    .select([
      START_OF_DAY.as("day"),
      "status",
      SUMS.anomalies.as("anomalies"),
      SUMS.cost.as("cost"),
      buildStaleCondition(staleSinceMs).as("stale"),
    ])
    .where("time_ms", "is not", null)
    .groupBy([START_OF_DAY, "status"])
    .orderBy(START_OF_DAY)
    .orderBy("status")
    .execute();

/** Returns the number and the total cost of the matching anomalies. */
export const sumAll = (
  db: Kysely<AnomalyTables>,
  criteria: AnomalyCriteria,
): Promise<{ readonly anomalies: number; readonly cost: string }> =>
  selectMatchingAnomalies(db, criteria)
    .select([SUMS.anomalies.as("anomalies"), sql<string>`coalesce(sum(anomalous_spend), 0)::text`.as("cost")])
    .executeTakeFirstOrThrow();

/**
 * Returns the average time from start to resolution of the resolved anomalies, in ms, as a decimal text;
 * null: no anomaly has both times in order.
 */
export async function readMeanResolution(
  db: Kysely<AnomalyTables>,
  criteria: AnomalyCriteria,
): Promise<string | null> {
  const { mean } = await selectMatchingAnomalies(db, criteria)
    .select(sql<string | null>`avg(status_ms - time_ms)::text`.as("mean"))
    .where("status", "=", "RESOLVED")
    .where(sql<boolean>`status_ms >= time_ms`)
    .executeTakeFirstOrThrow();
  return mean;
}
