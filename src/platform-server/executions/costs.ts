import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { CostChangeBody, costChanges } from "../../platform/contract/cost-changes.ts";
import { findRow, has } from "../../store/database/statements.ts";
import type { Area } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import { type ExecutionKey, pickStageKey, STAGE_KEY, type StageKey } from "../tables/keys.ts";
import type { Db } from "../tables/tables.ts";
import { hasExecution } from "./stages.ts";

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

/** Handlers for cost changes of an execution's stages (provisioning 2.10 and 4.2). A stage without an estimate is omitted; its cost is not zero. */
export const costHandlers: Area<typeof costChanges> = {
  getCostChange: async ({ params, query: { pipeline_stage_id: wanted } }, { db, account }) => {
    const costs = await listCosts(db, { account, ...params }, "cost");
    const found = costs.findLast(({ stage }) => wanted === "" || stage === wanted);
    return { body: parseCost(found?.text ?? refuse("not_found", "there is no cost estimate")) };
  },

  listStageCosts: async ({ params }, { db, account }) => ({
    body: await readCosts(db, { account, ...params }, { kind: "cost", parse: parseCost }),
  }),

  listModuleCosts: async ({ params, query: { stack_path } }, { db, account }) => {
    const costs = await readCosts(db, { account, ...params }, { kind: "modules", parse: parseModuleCosts });
    if (stack_path === "") return { body: costs };
    const body = costs.map(({ modules, ...rest }) => {
      const wanted = Object.entries(modules).filter(([module]) => module === stack_path);
      return { ...rest, modules: Object.fromEntries(wanted) };
    });
    return { body };
  },
};

async function readCosts<T>(
  db: Db,
  key: ExecutionKey,
  { kind, parse }: { readonly kind: keyof StageCosts; readonly parse: (text: string) => T },
): Promise<T[]> {
  if (!(await hasExecution(db, key))) refuse("not_found", "there is no such execution");
  const costs: T[] = [];
  for (const { text } of await listCosts(db, key, kind)) {
    costs.push(parse(text));
    await setImmediate(); // parsing costs of 16 MB takes 0.1 s, and so does writing them into the answer
  }
  return costs;
}

/** A stage's costs in all, and those of its modules, as JSON texts: these preserve the sent decimals. Null: not sent. */
export interface StageCosts {
  readonly cost: string | null;
  readonly modules: string | null;
}

/** Returns the costs of an execution's stages, oldest stage first; stages without them are omitted. */
async function listCosts(
  db: Db,
  key: ExecutionKey,
  kind: keyof StageCosts,
): Promise<readonly { readonly stage: string; readonly text: string }[]> {
  const rows = await db
    .selectFrom("platform_costs")
    .innerJoin("platform_executions as run", (join) =>
      STAGE_KEY.reduce((on, column) => on.onRef(`run.${column}`, "=", `platform_costs.${column}`), join),
    )
    .select(["run.pipeline_stage_id as stage", `platform_costs.${kind} as text`])
    .where("run.account", "=", key.account)
    .where("run.org", "=", key.org)
    .where("run.project", "=", key.project)
    .where("run.pipeline_execution_id", "=", key.pipeline_execution_id)
    .orderBy("run.created_ms")
    .orderBy("run.pipeline_stage_id")
    .execute();
  return rows.flatMap(({ stage, text }) => (text === null ? [] : [{ stage, text }]));
}

/** Returns the stored costs of a stage. Until the transaction ends, nobody changes them or deletes the stage. Null: the stage was deleted. */
export async function lockCosts(trx: Db, key: StageKey): Promise<StageCosts | null> {
  await trx
    .insertInto("platform_costs")
    .columns(STAGE_KEY)
    .expression(({ selectFrom }) =>
      selectFrom("platform_executions")
        .select(STAGE_KEY)
        .where(has(pickStageKey(key)))
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findRow(trx, "platform_costs", pickStageKey(key), "lock")) ?? null;
}
