import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { CostChangeBody } from "../../platform/contract/cost-changes.ts";
import type { executions } from "../../platform/contract/registry.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { addAccount, type ExecutionKey } from "../area/keys.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import { type CostKind, listCosts } from "./store/costs.ts";
import { hasExecution } from "./store/executions.ts";
import type { ExecutionTables } from "./store/tables.ts";

const CostChangeOutline = z.looseObject({ currency: z.string(), diff: z.looseObject({}) });
/** The ingestion validated all of it; doing so again would block the event loop for 0.3 s for costs of 16 MB. */
const StoredCostChange = z.custom<CostChangeBody>((value) => CostChangeOutline.safeParse(value).success);
const parseCost = createStoredJsonParser("cost change of a stage", StoredCostChange);

const ModuleCostsBody = z.object({
  modules: z.record(z.string(), StoredCostChange),
  stage_execution_id: z.string(),
  stage_id: z.string(),
  workspace_id: z.string(),
});
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
    const costs = await listCosts(context.db, addAccount(context, params), "cost");
    const wanted = query.pipeline_stage_id;
    const found = costs.findLast(({ stage }) => wanted === "" || stage === wanted);
    if (found === undefined) return createProblem("not_found", "there is no cost estimate");
    return { body: parseCost(found.text) };
  },

  listStageCosts: async ({ params }, context) => {
    const costs = await readCosts(context, addAccount(context, params), { kind: "cost", parse: parseCost });
    return isProblem(costs) ? costs : { body: costs };
  },

  listModuleCosts: async ({ params, query: { stack_path } }, context) => {
    const key = addAccount(context, params);
    const costs = await readCosts(context, key, { kind: "modules", parse: parseModuleCosts });
    if (isProblem(costs)) return costs;
    return { body: stack_path === "" ? costs : costs.map((one) => selectModule(one, stack_path)) };
  },
};

async function readCosts<T>(
  { db }: Context<ExecutionTables>,
  key: ExecutionKey,
  { kind, parse }: { readonly kind: CostKind; readonly parse: (text: string) => T },
): Promise<T[] | Problem<"not_found">> {
  if (!(await hasExecution(db, key))) return createProblem("not_found", "there is no such execution");
  const costs: T[] = [];
  for (const { text } of await listCosts(db, key, kind)) {
    costs.push(parse(text));
    await setImmediate(); // parsing costs of 16 MB takes 0.1 s, and so does writing them into the answer
  }
  return costs;
}

/** The costs of the module at `path` only. */
function selectModule(costs: z.output<typeof ModuleCostsBody>, path: string) {
  const wanted = Object.entries(costs.modules).filter(([module]) => module === path);
  return { ...costs, modules: Object.fromEntries(wanted) };
}
