import type { Insertable, Kysely, Selectable } from "kysely";
import type { ProjectKey } from "../../../store/tables/project-key.ts";
import { toProjectKey } from "../../../store/tables/project-key.ts";
import { countFound } from "../../area/count-found.ts";
import { type ExecutionKey, pickExecutionKey, pickStageKey, type StageKey } from "../../area/keys.ts";
import type { ExecutionStatus, ExecutionTables } from "./tables.ts";

export type ExecutionRow = Selectable<ExecutionTables["platform_executions"]>;

/** A filter for executions. Absent members match everything; times are ms since 1970, both ends inclusive. */
export interface ExecutionFilter {
  readonly workspace?: string | undefined;
  readonly pipelineExecutionId?: string | undefined;
  /** The execution must match each of them: two different ones match nothing. */
  readonly pipelines?: readonly string[] | undefined;
  readonly statuses?: readonly ExecutionStatus[] | undefined;
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
}

/** Stores a new execution. Returns the stored row, which is the existing one if the key is taken. */
export async function createExecution(db: Kysely<ExecutionTables>, row: ExecutionRow): Promise<ExecutionRow> {
  await db
    .insertInto("platform_executions")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .selectFrom("platform_executions")
    .selectAll()
    .where((eb) => eb.and(pickStageKey(row)))
    .executeTakeFirstOrThrow();
}

export async function findExecution(
  db: Kysely<ExecutionTables>,
  key: StageKey,
): Promise<ExecutionRow | null> {
  const row = await db
    .selectFrom("platform_executions")
    .selectAll()
    .where((eb) => eb.and(pickStageKey(key)))
    .executeTakeFirst();
  return row ?? null;
}

/** Returns all stages of one execution, oldest first. */
export function listStages(db: Kysely<ExecutionTables>, key: ExecutionKey): Promise<ExecutionRow[]> {
  return db
    .selectFrom("platform_executions")
    .selectAll()
    .where((eb) => eb.and(pickExecutionKey(key)))
    .orderBy("created_ms")
    .orderBy("pipeline_stage_id")
    .execute();
}

/** Whether an execution has any stage. */
export async function hasExecution(db: Kysely<ExecutionTables>, key: ExecutionKey): Promise<boolean> {
  const row = await db
    .selectFrom("platform_executions")
    .select("pipeline_stage_id")
    .where((eb) => eb.and(pickExecutionKey(key)))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns one page of a project's executions, newest first, and their total number. `offset` in rows. */
export async function listExecutions(
  db: Kysely<ExecutionTables>,
  project: ProjectKey,
  query: ExecutionFilter & { readonly limit: number; readonly offset: number },
): Promise<{ rows: ExecutionRow[]; total: number }> {
  const matching = selectFilteredExecutions(db, project, query);
  const rows = await matching
    .selectAll()
    .orderBy("created_ms", "desc")
    .orderBy("pipeline_execution_id")
    .orderBy("pipeline_stage_id")
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return { rows, total: await countFound(matching) };
}

/** Sets the final status of an execution that has none. */
export async function setFinalStatus(
  db: Kysely<ExecutionTables>,
  key: StageKey,
  status: Exclude<ExecutionStatus, "none">,
): Promise<void> {
  await db
    .updateTable("platform_executions")
    .set({ status })
    .where((eb) => eb.and({ ...pickStageKey(key), status: "none" }))
    .execute();
}

/** Appends one audit event. Events are never changed, and are removed with their execution. */
export async function addAuditEvent(
  db: Kysely<ExecutionTables>,
  event: Insertable<ExecutionTables["platform_audit_events"]>,
): Promise<void> {
  await db.insertInto("platform_audit_events").values(event).execute();
}

function selectFilteredExecutions(db: Kysely<ExecutionTables>, project: ProjectKey, filter: ExecutionFilter) {
  const { workspace, pipelineExecutionId, pipelines = [], statuses, startMs, endMs } = filter;
  return db
    .selectFrom("platform_executions")
    .where((eb) => eb.and(toProjectKey(project)))
    .$if(workspace !== undefined, (q) => q.where("workspace", "=", workspace ?? ""))
    .$if(pipelineExecutionId !== undefined, (q) =>
      q.where("pipeline_execution_id", "=", pipelineExecutionId ?? ""),
    )
    .where((eb) => eb.and(pipelines.map((pipeline) => eb("pipeline", "=", pipeline))))
    .$if(statuses !== undefined, (q) => q.where("status", "in", [...(statuses ?? [])]))
    .$if(startMs !== undefined, (q) => q.where("created_ms", ">=", startMs ?? 0))
    .$if(endMs !== undefined, (q) => q.where("created_ms", "<=", endMs ?? 0));
}
