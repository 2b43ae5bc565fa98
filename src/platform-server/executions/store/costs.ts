import type { Kysely } from "kysely";
import { type ExecutionKey, pickExecutionKey, pickStageKey, type StageKey } from "../../area/keys.ts";
import type { ExecutionTables } from "./tables.ts";

/** The costs of a stage as JSON texts, which preserve the sent decimals. Null: not sent. */
export interface StageCosts {
  readonly cost: string | null;
  readonly modules: string | null;
}

/** Returns the stored costs of a stage and locks them until the transaction ends. */
export async function lockCosts(trx: Kysely<ExecutionTables>, key: StageKey): Promise<StageCosts> {
  await trx
    .insertInto("platform_costs")
    .values({ ...pickStageKey(key), cost: null, modules: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return trx
    .selectFrom("platform_costs")
    .select(["cost", "modules"])
    .where((eb) => eb.and(pickStageKey(key)))
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function saveCosts(
  trx: Kysely<ExecutionTables>,
  key: StageKey,
  costs: StageCosts,
): Promise<void> {
  await trx
    .updateTable("platform_costs")
    .set({ cost: costs.cost, modules: costs.modules })
    .where((eb) => eb.and(pickStageKey(key)))
    .execute();
}

/**
 * Returns the costs of an execution's stages, oldest stage first. `column` selects the costs; stages without
 * them are omitted.
 */
export async function readCosts(
  db: Kysely<ExecutionTables>,
  key: ExecutionKey,
  column: "cost" | "modules",
): Promise<{ stage: string; workspace: string; json: string }[]> {
  const rows = await db
    .selectFrom("platform_costs as costs")
    .innerJoin("platform_executions as run", (join) =>
      join
        .onRef("run.account", "=", "costs.account")
        .onRef("run.org", "=", "costs.org")
        .onRef("run.project", "=", "costs.project")
        .onRef("run.pipeline_execution_id", "=", "costs.pipeline_execution_id")
        .onRef("run.pipeline_stage_id", "=", "costs.pipeline_stage_id"),
    )
    .select(["run.pipeline_stage_id as stage", "run.workspace", `costs.${column} as json`])
    .where((eb) => eb.and(prefixColumns(key)))
    .orderBy("run.created_ms")
    .orderBy("run.pipeline_stage_id")
    .execute();
  return rows.flatMap(({ stage, workspace, json }) => (json === null ? [] : [{ stage, workspace, json }]));
}

function prefixColumns(key: ExecutionKey) {
  const { account, org, project, pipeline_execution_id } = pickExecutionKey(key);
  return {
    "costs.account": account,
    "costs.org": org,
    "costs.project": project,
    "costs.pipeline_execution_id": pipeline_execution_id,
  };
}
