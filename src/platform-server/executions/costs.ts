import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { CostChangeBody } from "../../platform/contract/cost-changes.ts";
import type { executions } from "../../platform/contract/registry.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { addAccount, type ExecutionKey } from "../area/keys.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import { readCosts } from "./store/costs.ts";
import { listStages } from "./store/executions.ts";
import type { ExecutionTables } from "./store/tables.ts";

const parseCost = createStoredJsonParser("cost change of a stage", CostChangeBody);

/** Amounts stay text, as the ingestion stores them. */
const ModuleCostsBody = z.object({
  modules: z.record(z.string(), CostChangeBody),
  stage_execution_id: z.string(),
  stage_id: z.string(),
  workspace_id: z.string(),
});
type ModuleCostsBody = z.output<typeof ModuleCostsBody>;
const parseModuleCosts = createStoredJsonParser("costs of a stage's modules", ModuleCostsBody);

/**
 * Handlers for cost changes of an execution's stages (provisioning 2.10 and 4.2). A stage without an estimate
 * is omitted; its cost is not zero.
 */
export const costHandlers: Area<
  Pick<typeof executions, "getCostChange" | "listStageCosts" | "listModuleCosts">,
  ExecutionTables
> = {
  getCostChange: async ({ params, query }, context) => {
    const costs = await readCosts(context.db, addAccount(context, params), "cost");
    const wanted = query.pipeline_stage_id;
    const found = costs.findLast(({ stage }) => wanted === "" || stage === wanted);
    return found === undefined
      ? createProblem("not_found", "there is no cost estimate")
      : { body: parseCost(found.json) };
  },

  listStageCosts: async ({ params }, context) => {
    const key = addAccount(context, params);
    const missing = await checkExecutionExists(context, key);
    if (missing !== null) return missing;
    const costs = await readCosts(context.db, key, "cost");
    return { body: await parseAll(costs, parseCost) };
  },

  listModuleCosts: async ({ params, query }, context) => {
    const key = addAccount(context, params);
    const missing = await checkExecutionExists(context, key);
    if (missing !== null) return missing;
    const costs = await readCosts(context.db, key, "modules");
    const parsed = await parseAll(costs, parseModuleCosts);
    return { body: parsed.map((one) => selectModule(one, query.stack_path)) };
  },
};

/** The event loop runs before and after each one: the costs of 10,000 resources take 25 ms. */
async function parseAll<T>(
  stored: readonly { readonly json: string }[],
  parse: (json: string) => T,
): Promise<T[]> {
  const parsed: T[] = [];
  for (const { json } of stored) {
    await setImmediate();
    parsed.push(parse(json));
  }
  await setImmediate();
  return parsed;
}

async function checkExecutionExists(
  context: Context<ExecutionTables>,
  key: ExecutionKey,
): Promise<Problem<"not_found"> | null> {
  const stages = await listStages(context.db, key);
  return stages.length === 0 ? createProblem("not_found", "there is no such execution") : null;
}

/** The costs of the module at `path` only; of all modules when it is empty. */
function selectModule(costs: ModuleCostsBody, path: string): ModuleCostsBody {
  if (path === "") return costs;
  const wanted = Object.entries(costs.modules).filter(([module]) => module === path);
  return { ...costs, modules: Object.fromEntries(wanted) };
}
