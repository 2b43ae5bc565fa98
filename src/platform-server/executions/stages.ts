import { findRow, has } from "../../store/database/statements.ts";
import { refuse } from "../area/problem.ts";
import { type ExecutionKey, pickExecutionKey, pickStageKey, type StageKey } from "../tables/keys.ts";
import type { Db, Row } from "../tables/tables.ts";

export type ExecutionRow = Row<"platform_executions">;

/** @throws Refusal */
export const readStage = async (db: Db, key: StageKey): Promise<ExecutionRow> =>
  (await findRow(db, "platform_executions", pickStageKey(key))) ?? refuseUnknownStage();

export const refuseUnknownStage = (): never => refuse("not_found", "there is no such execution stage");

/** Returns all stages of one execution, oldest first. */
export const listStages = (db: Db, key: ExecutionKey): Promise<ExecutionRow[]> =>
  db
    .selectFrom("platform_executions")
    .selectAll()
    .where(has(pickExecutionKey(key)))
    .orderBy("created_ms")
    .orderBy("pipeline_stage_id")
    .execute();

export const hasExecution = async (db: Db, key: ExecutionKey): Promise<boolean> =>
  (await listStages(db, key)).length > 0;
