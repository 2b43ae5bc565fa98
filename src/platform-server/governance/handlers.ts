import type { governance } from "../../platform/contract/governance.ts";
import { createSuccess } from "../../platform/contract/shapes/fields.ts";
import type { Area } from "../area/area.ts";
import type { GovernanceTables } from "./store/prompts.ts";
import { countEvaluations, listPromptResources, listPromptRules } from "./store/prompts.ts";

/** Governance overview and prompts (cost management 4.1). */
export const governanceHandlers: Area<typeof governance, GovernanceTables> = {
  countDailyEvaluations: async ({ query, body }, context) => {
    const found = await countEvaluations(context.db, {
      account: context.token.account,
      cloudProviders: query.cloudProvider ?? null,
      times: body,
    });
    const days = Map.groupBy(found, ({ day }) => new Date(day).toISOString().slice(0, 10));
    const counts = [...days].map(([day, ofDay]) => [day, countStatuses(ofDay)] as const);
    return { body: createSuccess(Object.fromEntries(counts), context) };
  },

  listPromptResources: async ({ query }, context) => {
    const key = { account: context.token.account, cloud_provider: query.cloudProvider };
    return { body: createSuccess(await listPromptResources(context.db, key), context) };
  },

  listPromptRules: async ({ query }, context) => {
    const key = { account: context.token.account, cloud_provider: query.cloudProvider };
    const rules = await listPromptRules(context.db, key, query.resourceType ?? null);
    return { body: createSuccess(rules, context) };
  },
};

const countStatuses = (rows: readonly { readonly status: string; readonly evaluations: number }[]) =>
  Object.fromEntries(rows.map(({ status, evaluations }) => [status, evaluations]));
