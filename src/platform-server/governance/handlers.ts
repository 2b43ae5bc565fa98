import { sql } from "kysely";
import type { governance } from "../../platform/contract/governance.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import { has } from "../../store/database/statements.ts";
import type { Area } from "../area/area.ts";
import { buildTimeConditions, START_OF_DAY } from "../area/time-conditions.ts";

/** Governance overview and prompts (cost management 4.1). */
export const governanceHandlers: Area<typeof governance> = {
  countDailyEvaluations: async ({ query: { cloudProvider: clouds }, body }, context) => {
    const { db, account } = context;
    const found = await db
      .selectFrom("platform_evaluations")
      .select([START_OF_DAY.as("day"), "status", sql<number>`count(*)`.as("evaluations")])
      .where("account", "=", account)
      .where((eb) => eb.and([...buildTimeConditions(body)]))
      .$if(clouds !== undefined, (rows) =>
        rows.where("cloud_provider", "=", sql<string>`any(${[...(clouds ?? [])]}::text[])`),
      )
      .groupBy([START_OF_DAY, "status"])
      .orderBy(START_OF_DAY)
      .orderBy(sql`status collate "C"`)
      .execute();
    const days = Map.groupBy(found, ({ day }) => new Date(day).toISOString().slice(0, 10));
    const counts = [...days].map(([day, rows]) => [
      day,
      Object.fromEntries(rows.map(({ status, evaluations }) => [status, evaluations])),
    ]);
    return { body: createSuccess(Object.fromEntries(counts), context) };
  },

  listPromptResources: async ({ query }, context) => {
    const rows = await context.db
      .selectFrom("platform_prompts")
      .select("resource_type")
      .where(has({ account: context.account, cloud_provider: query.cloudProvider }))
      .groupBy("resource_type")
      .orderBy(sql`resource_type collate "C"`)
      .execute();
    const types = rows.map(({ resource_type }) => resource_type);
    return { body: createSuccess(types, context) };
  },

  listPromptRules: async ({ query: { cloudProvider: cloud_provider, resourceType } }, context) => {
    const rows = await context.db
      .selectFrom("platform_prompts")
      .select(["description", "rule_yaml"])
      .where(has({ account: context.account, cloud_provider }))
      .$if(resourceType !== undefined, (all) => all.where("resource_type", "=", resourceType ?? ""))
      .where("rule_yaml", "is not", null)
      .orderBy(sql`resource_type collate "C"`)
      .orderBy(sql`id collate "C"`)
      .execute();
    const rules = rows.map(({ description, rule_yaml }) => ({
      description: description ?? "",
      ruleYaml: rule_yaml ?? "",
    }));
    return { body: createSuccess(rules, context) };
  },
};
