import { type Kysely, type Selectable, sql } from "kysely";
import { toStorableJson } from "../../../kernel/storable.ts";
import type { GovernanceTables } from "./tables.ts";

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
