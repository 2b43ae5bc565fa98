import { purgeStages } from "../platform-server/changes/retention.ts";
import type { Retention } from "../settings/retention.ts";
import { purgeBotTables, readNeededData } from "../store/retention.ts";
import type { Database } from "./database/open-database.ts";

/** A pull request that was closed less than this time ago may be reopened: what it rests on is kept. In ms. */
const REOPENED_MS = 7 * 86_400_000;
/** How long notifications are stored, in ms: they contain titles and amounts, and show what a target was notified of. */
const NOTIFICATIONS_MS = 31 * 86_400_000;

export interface Purge {
  readonly retention: Retention;
  readonly nowMs: number;
  /** Awaited between two statements; rejects when the purge is to end. */
  pause(): Promise<void>;
}

/**
 * Deletes what is past retention and what no pull request needs, in short statements, and returns the number of deleted rows. It may
 * be ended between any two statements; the next purge continues.
 */
export async function purgeOldData(db: Database["db"], { retention, nowMs, pause }: Purge): Promise<number> {
  const needed = await readNeededData(db, new Date(nowMs - REOPENED_MS), pause);
  const [rowsBeforeMs, stagesBeforeMs] = [nowMs - retention.plan_rows, nowMs - retention.evaluations];
  const limits = {
    planRowsBefore: new Date(rowsBeforeMs),
    evaluationsBefore: new Date(stagesBeforeMs),
    sessionsBeforeMs: nowMs,
    notificationsBefore: new Date(nowMs - NOTIFICATIONS_MS),
  };
  const removed = await purgeStages(db, {
    rowsBeforeMs,
    stagesBeforeMs,
    isNeeded: ({ pipeline_execution_id: id, commits }) =>
      needed.executions.has(id) || commits.some((sha) => needed.commits.has(sha)),
    pause,
  });
  return removed + (await purgeBotTables(db, { limits, needed }, pause));
}
