import { type Kysely, type Selectable, sql } from "kysely";
import { toStorableJson } from "../../../kernel/storable.ts";
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
