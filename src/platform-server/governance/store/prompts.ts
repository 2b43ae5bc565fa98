import { type Kysely, type Selectable, sql } from "kysely";
import { toStorableJson } from "../../../kernel/storable.ts";
import { bigint, defineTable, type TablesOf, text } from "../../../store/tables/define-table.ts";
import { buildTimeConditions, START_OF_DAY, type TimeCondition } from "../../area/time-conditions.ts";

/** Adds prompts, or replaces those with the same id. */
export async function writePrompts(
  trx: Kysely<GovernanceTables>,
  account: string,
  rows: readonly Omit<Selectable<GovernanceTables["platform_prompts"]>, "account">[],
): Promise<void> {
  await sql`
    insert into platform_prompts (account, id, cloud_provider, resource_type, description, rule_yaml)
    select ${account}::text, incoming.id, incoming.cloud_provider, incoming.resource_type, incoming.description,
      incoming.rule_yaml
    from json_populate_recordset(null::platform_prompts, ${toStorableJson(rows)}::json) as incoming
    on conflict (account, id) do update set
      cloud_provider = excluded.cloud_provider, resource_type = excluded.resource_type,
      description = excluded.description, rule_yaml = excluded.rule_yaml`.execute(trx);
}

export interface PromptKey {
  readonly account: string;
  readonly cloud_provider: string;
}

/** Returns the distinct resource types of a cloud, in order. */
export async function listPromptResources(
  db: Kysely<GovernanceTables>,
  { account, cloud_provider }: PromptKey,
): Promise<string[]> {
  const rows = await db
    .selectFrom("platform_prompts")
    .select("resource_type")
    .where((eb) => eb.and({ account, cloud_provider }))
    .groupBy("resource_type")
    .orderBy(sql`resource_type collate "C"`)
    .execute();
  return rows.map(({ resource_type }) => resource_type);
}

/**
 * Returns the sample rules of a cloud, or of one of its resource types; ordered by resource type, then by id.
 */
export async function listPromptRules(
  db: Kysely<GovernanceTables>,
  { account, cloud_provider }: PromptKey,
  resourceType: string | null,
): Promise<{ description: string; ruleYaml: string }[]> {
  const rows = await db
    .selectFrom("platform_prompts")
    .select(["description", "rule_yaml"])
    .where((eb) => eb.and({ account, cloud_provider }))
    .$if(resourceType !== null, (query) => query.where("resource_type", "=", resourceType ?? ""))
    .where("rule_yaml", "is not", null)
    .orderBy(sql`resource_type collate "C"`)
    .orderBy(sql`id collate "C"`)
    .execute();
  return rows.map(({ description, rule_yaml }) => ({
    description: description ?? "",
    ruleYaml: rule_yaml ?? "",
  }));
}

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

interface EvaluationQuery {
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

/** The governance engine's results and prompts; keyed by account id. */
export const governanceTables = {
  /** One evaluation of a governance rule. */
  platform_evaluations: defineTable({
    columns: {
      account: text(),
      id: text(),
      /** Milliseconds since 1970. */
      time_ms: bigint(),
      cloud_provider: text(),
      status: text(),
    },
    primaryKey: ["account", "id"],
    indexes: { by_time: "(account, time_ms)" },
  }),
  /** A resource type for which rules can be generated, with or without a sample rule. */
  platform_prompts: defineTable({
    columns: {
      account: text(),
      id: text(),
      cloud_provider: text(),
      resource_type: text(),
      description: text().nullable(),
      rule_yaml: text().nullable(),
    },
    primaryKey: ["account", "id"],
    indexes: { by_type: "(account, cloud_provider, resource_type)" },
  }),
};

export type GovernanceTables = TablesOf<typeof governanceTables>;
