import type { Kysely } from "kysely";
import type { ExecutionTables } from "../executions/store/tables.ts";
import { type AgedStage, deleteStage, listStagesAfter, moveSnapshot } from "./store/aged-stages.ts";
import { dropParts, PART_TABLES } from "./store/drop-parts.ts";
import type { ChangeTables } from "./store/tables.ts";

export interface StagePurge {
  /** Changes that were committed before are deleted; ms since 1970. */
  readonly rowsBeforeMs: number;
  /** Stages that began before are deleted with costs and commits; ms since 1970, not after `rowsBeforeMs`. */
  readonly stagesBeforeMs: number;
  /** Whether a pull request needs the stage, however old it is. */
  isNeeded(stage: AgedStage): boolean;
  pause(): Promise<void>;
}

/** Stages that one statement reads. */
const PAGE = 200;

/**
 * Deletes uploaded changes, and later their stages, past retention. Returns the number of deleted rows and stages. A snapshot is marked
 * first, so that nobody reads a part of it; one whose deletion was interrupted is completed by the next purge.
 */
export async function purgeStages(
  db: Kysely<ChangeTables & ExecutionTables>,
  purge: StagePurge,
): Promise<number> {
  let removed = 0;
  for (let after: AgedStage | null = null; ; await purge.pause()) {
    const page: readonly AgedStage[] = await listStagesAfter(db, after, PAGE);
    for (const stage of page) removed += await purgeStage(db, stage, purge);
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return removed;
  }
}

async function purgeStage(
  db: Kysely<ChangeTables & ExecutionTables>,
  stage: AgedStage,
  purge: StagePurge,
): Promise<number> {
  const { state, committed_ms, created_ms } = stage;
  const isKept = (committed_ms ?? created_ms) >= purge.rowsBeforeMs || purge.isNeeded(stage);
  if (isKept && state !== "removing") return 0;
  const removed = await dropChanges(db, stage, purge.pause);
  if (isKept || created_ms >= purge.stagesBeforeMs) return removed;
  await deleteStage(db, stage);
  await purge.pause();
  return removed + 1;
}

/** Deletes the uploaded changes of a stage and returns the number of rows. */
async function dropChanges(
  db: Kysely<ChangeTables>,
  { account, snapshot_id, state }: AgedStage,
  pause: () => Promise<void>,
): Promise<number> {
  if (snapshot_id === null || state === null || state === "removed") return 0;
  const key = { account, snapshot_id };
  if (!(await moveSnapshot(db, key, { from: state, to: "removing" }))) return 0;
  let removed = 0;
  for (const table of PART_TABLES) removed += await dropParts(db, key, { table, pause });
  await moveSnapshot(db, key, { from: "removing", to: "removed" });
  return removed;
}
