import { type Kysely, type Selectable, sql } from "kysely";
import { toStorableJson } from "../../../kernel/storable.ts";
import { buildTimeConditions, START_OF_DAY, type TimeCondition } from "../../area/time-conditions.ts";
import type { GovernanceTables } from "./tables.ts";

/** Adds evaluations, or replaces those with the same id. */
export async function writeEvaluations(
  trx: Kysely<GovernanceTables>,
  account: string,
  rows: readonly Omit<Selectable<GovernanceTables["platform_evaluations"]>, "account">[],
): Promise<void> {
  await sql`
    insert into platform_evaluations (account, id, time_ms, cloud_provider, status)
    select ${account}::text, incoming.id, incoming.time_ms, incoming.cloud_provider, incoming.status
    from json_populate_recordset(null::platform_evaluations, ${toStorableJson(rows)}::json) as incoming
    on conflict (account, id) do update set
      time_ms = excluded.time_ms, cloud_provider = excluded.cloud_provider, status = excluded.status`.execute(
    trx,
  );
}

export interface EvaluationQuery {
  readonly account: string;
  /** Null: all. */
  readonly cloudProviders: readonly string[] | null;
  /** Conditions that must all be true. */
  readonly times: readonly TimeCondition[];
}

/**
 * Returns the number of evaluations per day (its start in UTC, ms since 1970) and status, ordered by both.
 */
export function countEvaluations(
  db: Kysely<GovernanceTables>,
  { account, cloudProviders, times }: EvaluationQuery,
): Promise<{ day: number; status: string; evaluations: number }[]> {
  return db
    .selectFrom("platform_evaluations")
    .select([START_OF_DAY.as("day"), "status", sql<number>`count(*)`.as("evaluations")])
    .where("account", "=", account)
    .where((eb) => eb.and([...buildTimeConditions(times)]))
    .$if(cloudProviders !== null, (query) =>
      query.where("cloud_provider", "=", sql<string>`any(${[...(cloudProviders ?? [])]}::text[])`),
    )
    .groupBy([START_OF_DAY, "status"])
    .orderBy(START_OF_DAY)
    .orderBy(sql`status collate "C"`)
    .execute();
}
