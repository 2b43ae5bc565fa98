import type { Kysely, NotNull } from "kysely";
import { type ExecutionKey, pickStageKey, type StageKey } from "../../area/keys.ts";
import type { ExecutionTables } from "./tables.ts";

/** A stage's costs in all, and those of its modules, as JSON texts: these preserve the sent decimals. Null: not sent. */
export interface StageCosts {
  readonly cost: string | null;
  readonly modules: string | null;
}
export type CostKind = keyof StageCosts;

const EXECUTION_COLUMNS = ["account", "org", "project", "pipeline_execution_id"] as const;
const STAGE_COLUMNS = [...EXECUTION_COLUMNS, "pipeline_stage_id"] as const;

/**
 * Returns the stored costs of a stage. Until the transaction ends, nobody changes them or deletes the stage. Null: the stage was
 * deleted.
 */
export async function lockCosts(trx: Kysely<ExecutionTables>, key: StageKey): Promise<StageCosts | null> {
  await trx
    .insertInto("platform_costs")
    .columns(STAGE_COLUMNS)
    .expression(({ selectFrom }) =>
      selectFrom("platform_executions")
        .select(STAGE_COLUMNS)
        .where((eb) => eb.and(pickStageKey(key)))
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await trx
    .selectFrom("platform_costs")
    .select(["cost", "modules"])
    .where((eb) => eb.and(pickStageKey(key)))
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function saveCosts(
  trx: Kysely<ExecutionTables>,
  key: StageKey,
  costs: Partial<StageCosts>,
): Promise<void> {
  await trx
    .updateTable("platform_costs")
    .set(costs)
    .where((eb) => eb.and(pickStageKey(key)))
    .execute();
}

/** Costs of a stage, of one kind, as JSON text. */
export interface StoredCosts {
  readonly stage: string;
  readonly text: string;
}

/** Returns the costs of an execution's stages, oldest stage first; stages without them are omitted. */
export function listCosts(
  db: Kysely<ExecutionTables>,
  key: ExecutionKey,
  kind: CostKind,
): Promise<StoredCosts[]> {
  return db
    .selectFrom("platform_costs")
    .innerJoin("platform_executions as run", (join) =>
      STAGE_COLUMNS.reduce((on, column) => on.onRef(`run.${column}`, "=", `platform_costs.${column}`), join),
    )
    .select(["run.pipeline_stage_id as stage", `platform_costs.${kind} as text`])
    .where((eb) => eb.and(EXECUTION_COLUMNS.map((column) => eb(`run.${column}`, "=", key[column]))))
    .where(`platform_costs.${kind}`, "is not", null)
    .$narrowType<{ text: NotNull }>()
    .orderBy("run.created_ms")
    .orderBy("run.pipeline_stage_id")
    .execute();
}
