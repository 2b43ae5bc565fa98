import { refuse } from "../area/problem.ts";
import { type ExecutionKey, pickExecutionKey, pickStageKey, type StageKey } from "../tables/keys.ts";
import type { Db, Row } from "../tables/tables.ts";

export type ExecutionRow = Row<"platform_executions">;

/** @throws Refusal */
export async function readStage(db: Db, key: StageKey): Promise<ExecutionRow> {
  const row = await db
    .selectFrom("platform_executions")
    .selectAll()
    .where((eb) => eb.and(pickStageKey(key)))
    .executeTakeFirst();
  return row ?? refuseUnknownStage();
}

export const refuseUnknownStage = (): never => refuse("not_found", "there is no such execution stage");

/** Returns all stages of one execution, oldest first. */
export const listStages = (db: Db, key: ExecutionKey): Promise<ExecutionRow[]> =>
  db
    .selectFrom("platform_executions")
    .selectAll()
    .where((eb) => eb.and(pickExecutionKey(key)))
    .orderBy("created_ms")
    .orderBy("pipeline_stage_id")
    .execute();

/** Whether an execution has any stage. */
export async function hasExecution(db: Db, key: ExecutionKey): Promise<boolean> {
  const row = await db
    .selectFrom("platform_executions")
    .select("pipeline_stage_id")
    .where((eb) => eb.and(pickExecutionKey(key)))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
