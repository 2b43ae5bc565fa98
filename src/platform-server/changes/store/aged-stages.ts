import { type Kysely, sql } from "kysely";
import { transact } from "../../../store/database/one-connection.ts";
import { pickSnapshotKey, pickStageKey, type SnapshotKey, type StageKey } from "../../area/keys.ts";
import type { ExecutionTables } from "../../executions/store/tables.ts";
import type { SnapshotRow } from "./snapshots.ts";
import type { ChangeTables } from "./tables.ts";

type StageTables = ChangeTables & ExecutionTables;

/** A stage of an execution with the state of its uploaded changes; null: none were uploaded. Times are ms since 1970. */
export interface AgedStage extends StageKey {
  readonly created_ms: number;
  readonly snapshot_id: number | null;
  readonly state: SnapshotRow["state"] | null;
  readonly committed_ms: number | null;
  /** Commits that the stage was executed for. */
  readonly commits: readonly string[];
}

/** Returns up to `limit` stages after `after` (null: from the first), in the order of their keys. */
export function listStagesAfter(
  db: Kysely<StageTables>,
  after: StageKey | null,
  limit: number,
): Promise<readonly AgedStage[]> {
  const key = sql`stage.account, stage.org, stage.project, stage.pipeline_execution_id, stage.pipeline_stage_id`;
  return db
    .selectFrom("platform_executions as stage")
    .leftJoin("platform_snapshots as snapshot", (join) =>
      join
        .onRef("snapshot.account", "=", "stage.account")
        .onRef("snapshot.org", "=", "stage.org")
        .onRef("snapshot.project", "=", "stage.project")
        .onRef("snapshot.pipeline_execution_id", "=", "stage.pipeline_execution_id")
        .onRef("snapshot.pipeline_stage_id", "=", "stage.pipeline_stage_id"),
    )
    .select([
      "stage.account",
      "stage.org",
      "stage.project",
      "stage.pipeline_execution_id",
      "stage.pipeline_stage_id",
      "stage.created_ms",
      "snapshot.snapshot_id",
      "snapshot.state",
      "snapshot.committed_ms",
      sql<readonly string[]>`(select coalesce(json_agg(bound.sha), '[]') from platform_commits as bound
        where (bound.account, bound.org, bound.project, bound.pipeline_execution_id, bound.pipeline_stage_id) = (${key}))`.as(
        "commits",
      ),
    ])
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(${key}) > (${sql.join(after === null ? [] : listKeyValues(after))})`),
    )
    .orderBy(key)
    .limit(limit)
    .execute();
}

const listKeyValues = (stage: StageKey): readonly string[] => Object.values(pickStageKey(stage));

/**
 * Changes the state of a snapshot; false: it has another state than `from` by now. While its state is `removing` or `removed`, it
 * can neither be read nor uploaded to.
 */
export async function moveSnapshot(
  db: Kysely<ChangeTables>,
  key: SnapshotKey,
  { from, to }: { readonly from: SnapshotRow["state"]; readonly to: "removing" | "removed" },
): Promise<boolean> {
  const moved = await db
    .updateTable("platform_snapshots")
    .set({ state: to })
    .where((eb) => eb.and({ ...pickSnapshotKey(key), state: from }))
    .returning("snapshot_id")
    .execute();
  return moved.length > 0;
}

/**
 * Deletes a stage with its costs, audit events and commits. The parts of its snapshot are gone before. The stage goes first,
 * because a transaction that stores costs locks it before the costs.
 */
export function deleteStage(db: Kysely<StageTables>, stage: StageKey): Promise<void> {
  const key = pickStageKey(stage);
  return transact(db, async (trx) => {
    await trx
      .deleteFrom("platform_executions")
      .where((eb) => eb.and(key))
      .execute();
    await trx
      .deleteFrom("platform_snapshots")
      .where((eb) => eb.and(key))
      .execute();
    await trx
      .deleteFrom("platform_costs")
      .where((eb) => eb.and(key))
      .execute();
    await trx
      .deleteFrom("platform_audit_events")
      .where((eb) => eb.and(key))
      .execute();
    await trx
      .deleteFrom("platform_commits")
      .where((eb) => eb.and(key))
      .execute();
  });
}
