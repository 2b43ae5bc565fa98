import { type Kysely, type Selectable, sql } from "kysely";
import { toStorableJson } from "../../../kernel/storable.ts";
import { START_OF_DAY } from "../../area/time-conditions.ts";
import { type AnomalyCriteria, selectMatchingAnomalies } from "./list.ts";
import type { AnomalyTables } from "./tables.ts";

type AnomalyRow = Selectable<AnomalyTables["platform_anomalies"]>;
type AmountColumn =
  | "actual_amount"
  | "expected_amount"
  | "expected_cost_lower"
  | "expected_cost_upper"
  | "anomaly_score";

/** An imported anomaly. Amounts are stored as the written decimals. */
export type NewAnomaly = Omit<
  AnomalyRow,
  AmountColumn | "account" | "anomalous_spend" | "status_set" | "feedback_set"
> & {
  readonly [Column in AmountColumn]: number | null;
} & {
  /** Null: what was spent beyond what was expected. */
  readonly anomalous_spend: number | null;
};

/** What somebody set here is not an import's to change. */
const KEPT = {
  status: "status_set",
  status_by: "status_set",
  status_ms: "status_set",
  feedback: "feedback_set",
} as const;

/**
 * Adds anomalies, or replaces those with the same id. A status and a feedback that a call set are not
 * overwritten.
 */
export async function writeAnomalies(
  trx: Kysely<AnomalyTables>,
  account: string,
  anomalies: readonly NewAnomaly[],
): Promise<void> {
  const [first] = anomalies;
  if (first === undefined) return;
  const rows = anomalies.map((row) => ({ ...row, account, status_set: false, feedback_set: false }));
  const columns = Object.keys({ ...first, account, status_set: false, feedback_set: false });
  await sql`
    insert into platform_anomalies (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(columns.map(readExcluded))}
    from json_populate_recordset(null::platform_anomalies, ${toStorableJson(rows)}::json) as incoming
    on conflict (account, id) do update set ${sql.join(columns.flatMap(createReplacement))}`.execute(trx);
}

const readExcluded = (name: string) =>
  name === "anomalous_spend"
    ? sql`coalesce(incoming.anomalous_spend, incoming.actual_amount - incoming.expected_amount)`
    : sql.ref(`incoming.${name}`);

function createReplacement(name: string) {
  if (name === "status_set" || name === "feedback_set") return [];
  const column = sql.ref(name);
  const next = sql.ref(`excluded.${name}`);
  const flag = KEPT[name as keyof typeof KEPT] as string | undefined; // most columns have none
  if (flag === undefined) return [sql`${column} = ${next}`];
  const mine = sql.ref(`platform_anomalies.${name}`);
  return [sql`${column} = case when ${sql.ref(`platform_anomalies.${flag}`)} then ${mine} else ${next} end`];
}

interface AnomalyKey {
  readonly account: string;
  readonly id: string;
}

/**
 * Sets the status. Setting the current status again does not change who set it and when. False: there is no
 * such anomaly.
 */
export async function setAnomalyStatus(
  db: Kysely<AnomalyTables>,
  { account, id }: AnomalyKey,
  to: { readonly status: string; readonly by: string; readonly atMs: number },
): Promise<boolean> {
  const same = sql<boolean>`status = ${to.status}::text`;
  const { numUpdatedRows } = await db
    .updateTable("platform_anomalies")
    .set({
      status: to.status,
      status_set: true,
      status_by: sql<string | null>`case when ${same} then status_by else ${to.by} end`,
      status_ms: sql<number | null>`case when ${same} then status_ms else ${to.atMs}::bigint end`,
    })
    .where((eb) => eb.and({ account, id }))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Sets the users' feedback. False: there is no such anomaly. */
export async function setAnomalyFeedback(
  db: Kysely<AnomalyTables>,
  { account, id }: AnomalyKey,
  feedback: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("platform_anomalies")
    .set({ feedback, feedback_set: true })
    .where((eb) => eb.and({ account, id }))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

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
