import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from "kysely";
import { deleteRows, updateRows } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import { pickSnapshotKey, pickStageKey, type SnapshotKey, STAGE_KEY, type StageKey } from "../tables/keys.ts";
import type { AllTables, Db } from "../tables/tables.ts";
import { listPages, type SnapshotRow } from "./snapshots.ts";

type Pause = () => Promise<void>;

/** A stage of an execution with the state of its uploaded changes; null: none were uploaded. Times are ms since 1970. */
export interface AgedStage extends StageKey {
  readonly created_ms: number;
  readonly snapshot_id: number | null;
  readonly state: SnapshotRow["state"] | null;
  readonly committed_ms: number | null;
  /** Commits that the stage was executed for. */
  readonly commits: readonly string[];
}

export interface StagePurge {
  /** Changes that were committed before are deleted; ms since 1970. */
  readonly rowsBeforeMs: number;
  /** Stages that began before are deleted with costs and commits; ms since 1970, not after `rowsBeforeMs`. */
  readonly stagesBeforeMs: number;
  /** Whether a pull request needs the stage, however old it is. */
  isNeeded(stage: AgedStage): boolean;
  pause: Pause;
}

/** Stages that one statement reads. */
const PAGE = 200;
/** Rows that one statement changes: the embedded database blocks all other queries meanwhile. */
const AT_ONCE = 500;

/**
 * Deletes uploaded changes, and later their stages, past retention. Returns the number of deleted rows and stages. A snapshot is marked
 * first, so that nobody reads a part of it; one whose deletion was interrupted is completed by the next purge.
 */
export async function purgeStages(db: Db, purge: StagePurge): Promise<number> {
  let removed = 0;
  for (let after: AgedStage | null = null; ; await purge.pause()) {
    const page: readonly AgedStage[] = await listStagesAfter(db, after);
    for (const stage of page) removed += await purgeStage(db, stage, purge);
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return removed;
  }
}

/**
 * Removes attribute data past its retention; rows, counts and costs remain. Reads refuse expired data anyway,
 * so the removal only frees space and may happen at any time. Returns the number of removed details.
 */
export async function expireChangeDetails(db: Db, nowMs: number, pause: Pause): Promise<number> {
  const expired = await db
    .selectFrom("platform_snapshots")
    .select(["account", "snapshot_id"])
    .where("details_until_ms", "<=", nowMs)
    .where("are_details_removed", "=", false)
    .execute();
  let removed = 0;
  for (const snapshot of expired) {
    for await (const rows of listRowRanges(db, snapshot)) {
      const { numUpdatedRows } = await db
        .updateTable("platform_rows")
        .set({ detail: null })
        .where(rows)
        .where("detail", "is not", null)
        .executeTakeFirstOrThrow();
      removed += Number(numUpdatedRows);
      await pause();
    }
    await updateRows(db, "platform_snapshots", pickSnapshotKey(snapshot), { are_details_removed: true });
  }
  return removed;
}

async function purgeStage(db: Db, stage: AgedStage, purge: StagePurge): Promise<number> {
  const { state, committed_ms, created_ms } = stage;
  const isKept = (committed_ms ?? created_ms) >= purge.rowsBeforeMs || purge.isNeeded(stage);
  if (isKept && state !== "removing") return 0;
  const removed = await dropChanges(db, stage, purge.pause);
  if (isKept || created_ms >= purge.stagesBeforeMs) return removed;
  await deleteStage(db, stage);
  await purge.pause();
  return removed + 1;
}

async function dropChanges(
  db: Db,
  { account, snapshot_id, state }: AgedStage,
  pause: Pause,
): Promise<number> {
  if (snapshot_id === null || state === null || state === "removed") return 0;
  const key = { account, snapshot_id };
  if (!(await moveSnapshot(db, key, { from: state, to: "removing" }))) return 0;
  let removed = 0;
  for await (const rows of listRowRanges(db, key)) {
    const { numDeletedRows } = await db.deleteFrom("platform_rows").where(rows).executeTakeFirstOrThrow();
    removed += Number(numDeletedRows);
    await pause();
  }
  for (const table of ["platform_indexes", "platform_pages"] as const) await deleteRows(db, table, key);
  await moveSnapshot(db, key, { from: "removing", to: "removed" });
  return removed;
}

type RowRange = (
  eb: ExpressionBuilder<AllTables, "platform_rows">,
) => ExpressionWrapper<AllTables, "platform_rows", SqlBool>;

/** Conditions for all rows of a snapshot, `AT_ONCE` rows each. */
async function* listRowRanges(db: Db, snapshot: SnapshotKey): AsyncGenerator<RowRange> {
  for (const { category, change, page, elements } of await listPages(db, snapshot))
    for (let from = 0; change === "" && from < elements; from += AT_ONCE)
      yield (eb) =>
        eb.and([
          eb.and({ ...pickSnapshotKey(snapshot), category, page }),
          eb("position", ">=", from),
          eb("position", "<", from + AT_ONCE),
        ]);
}

/** Returns up to `PAGE` stages after `after` (null: from the first), in the order of their keys. */
function listStagesAfter(db: Db, after: StageKey | null): Promise<readonly AgedStage[]> {
  const key = sql`stage.account, stage.org, stage.project, stage.pipeline_execution_id, stage.pipeline_stage_id`;
  return db
    .selectFrom("platform_executions as stage")
    .leftJoin("platform_snapshots as snapshot", (join) =>
      STAGE_KEY.reduce((on, column) => on.onRef(`snapshot.${column}`, "=", `stage.${column}`), join),
    )
    .select(STAGE_KEY.map((column) => `stage.${column}` as const))
    .select([
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
    .limit(PAGE)
    .execute();
}

const listKeyValues = (stage: StageKey): readonly string[] => Object.values(pickStageKey(stage));

/**
 * Changes the state of a snapshot; false: it has another state than `from` by now. While its state is `removing` or `removed`, it
 * can neither be read nor uploaded to.
 */
async function moveSnapshot(
  db: Db,
  key: SnapshotKey,
  { from, to }: { readonly from: SnapshotRow["state"]; readonly to: "removing" | "removed" },
): Promise<boolean> {
  const snapshot = { ...pickSnapshotKey(key), state: from };
  return (await updateRows(db, "platform_snapshots", snapshot, { state: to })) > 0;
}

/**
 * Deletes a stage with its costs, audit events and commits. The parts of its snapshot are gone before. The stage goes first,
 * because a transaction that stores costs locks it before the costs.
 */
export function deleteStage(db: Db, stage: StageKey): Promise<void> {
  const key = pickStageKey(stage);
  return transact(db, async (trx) => {
    for (const table of STAGE_TABLES) await deleteRows(trx, table, key);
  });
}

const STAGE_TABLES = [
  "platform_executions",
  "platform_snapshots",
  "platform_costs",
  "platform_audit_events",
  "platform_commits",
] as const;
