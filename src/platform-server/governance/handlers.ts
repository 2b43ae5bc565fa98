import { sql } from "kysely";
import { z } from "zod";
import { toIsoDay } from "../../kernel/instant.ts";
import { GOVERNED_CLOUDS, type governance } from "../../platform/contract/governance.ts";
import { createSuccess, createTokenSchema, identifier } from "../../platform/contract/shapes/fields.ts";
import { has } from "../../store/database/statements.ts";
import type { Area } from "../area/area.ts";
import { importKind, putRows } from "../area/import-kind.ts";
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
    const days = Map.groupBy(found, ({ day }) => toIsoDay(day));
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

/** The end of the year 9999, beyond which days are written otherwise; in ms since 1970. */
const LAST_MS = 253_402_300_799_999;
const cloudProvider = createTokenSchema("cloud", GOVERNED_CLOUDS);
const KEY = { key: ["account", "id"] } as const;

/** Import of the results of governance rules. */
export const evaluationImport = importKind({
  line: z.strictObject({
    id: identifier,
    time: z.int().min(0).max(LAST_MS),
    cloudProvider,
    /** As the engine calls it: what other systems hold no list of is not ours to limit. */
    status: z.string().min(1).max(64),
  }),
  key: ({ id }) => id.toWellFormed(),
  write: (trx, account, lines) => {
    const rows = lines.map(({ id, time, cloudProvider: cloud, status }) => {
      return { account, id, time_ms: time, cloud_provider: cloud, status };
    });
    return putRows(trx, "platform_evaluations", rows, KEY);
  },
});

const PromptLine = z
  .strictObject({
    id: identifier,
    cloudProvider,
    resourceType: identifier,
    description: z.string().min(1).max(8192).optional(),
    ruleYaml: z.string().min(1).max(65_536).optional(),
  })
  .refine(({ description, ruleYaml }) => (description === undefined) === (ruleYaml === undefined), {
    path: ["ruleYaml"],
    message: "a sample rule has a description and a ruleYaml, a mere resource type has neither",
  });

/** Import of resource types for which rules can be generated, and of sample rules. */
export const promptImport = importKind({
  line: PromptLine,
  key: ({ id }) => id.toWellFormed(),
  write: (trx, account, lines) => {
    const rows = lines.map((line) => ({
      account,
      id: line.id,
      cloud_provider: line.cloudProvider,
      resource_type: line.resourceType,
      description: line.description ?? null,
      rule_yaml: line.ruleYaml ?? null,
    }));
    return putRows(trx, "platform_prompts", rows, KEY);
  },
});
