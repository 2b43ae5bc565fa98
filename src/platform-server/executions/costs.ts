import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { CostChangeBody } from "../../platform/contract/cost-changes.ts";
import type { executions } from "../../platform/contract/registry.ts";
import type { Area, StoredReply } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { addAccount, type ExecutionKey } from "../area/keys.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { TextParts } from "../area/text-parts.ts";
import { type CostKind, listCosts, readCostText } from "./store/costs.ts";
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
    const costs = await listCosts(context.db, addAccount(context, params), "cost");
    const wanted = query.pipeline_stage_id;
    const found = costs.findLast(({ pipeline_stage_id: stage }) => wanted === "" || stage === wanted);
    if (found === undefined) return createProblem("not_found", "there is no cost estimate");
    const text = await readCostText(context.db, found);
    if (text === null) return createProblem("not_found", "there is no cost estimate");
    return isWhole(text) ? { body: parseCost(text[0]) } : { json: text };
  },

  listStageCosts: async ({ params }, context) => {
    const key = addAccount(context, params);
    const missing = await checkExecutionExists(context, key);
    if (missing !== null) return missing;
    return createListReply(await readTexts(context, key, "cost"), parseCost);
  },

  listModuleCosts: async ({ params, query: { stack_path } }, context) => {
    const key = addAccount(context, params);
    const missing = await checkExecutionExists(context, key);
    if (missing !== null) return missing;
    const texts = await readTexts(context, key, "modules");
    if (stack_path === "") return createListReply(texts, parseModuleCosts);
    const costs = await parseAll(texts, parseModuleCosts);
    return { body: costs.map((one) => selectModule(one, stack_path)) };
  },
};

async function readTexts(
  { db }: Context<ExecutionTables>,
  key: ExecutionKey,
  kind: CostKind,
): Promise<readonly TextParts[]> {
  const texts: TextParts[] = [];
  for (const costs of await listCosts(db, key, kind)) texts.push((await readCostText(db, costs)) ?? []);
  return texts.filter(({ length }) => length > 0);
}

const isWhole = (text: TextParts): text is readonly [string] => text.length === 1;

/** A list of costs. Large ones are answered as they are stored: parsing one of 16 MB would take 100 ms. */
async function createListReply<T>(
  texts: readonly TextParts[],
  parse: (json: string) => T,
): Promise<{ readonly body: T[] } | StoredReply> {
  if (texts.every(isWhole)) return { body: await parseAll(texts, parse) };
  const json: string[] = [];
  for (const text of texts) {
    await setImmediate();
    json.push(json.length === 0 ? "[" : ",");
    json.push(...(isWhole(text) ? [JSON.stringify(parse(text[0]))] : text));
  }
  return { json: [...json, "]"] };
}

/** The event loop runs before and after each one: earlier versions stored large costs in one part. */
async function parseAll<T>(texts: readonly TextParts[], parse: (json: string) => T): Promise<T[]> {
  const parsed: T[] = [];
  for (const text of texts) {
    await setImmediate();
    parsed.push(parse(text.join("")));
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
