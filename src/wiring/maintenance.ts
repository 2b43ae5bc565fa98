import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Logger } from "pino";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kernel/clock.ts";
import { expireChangeDetails, purgeStages } from "../platform-server/changes/retention.ts";
import { deleteExpiredHookRecords } from "../platform-server/webhooks/deliver.ts";
import type { Retention } from "../settings/operator.ts";
import type { Store } from "../store/open.ts";
import { doInTurn } from "../store/replicas/turns.ts";
import { purgeBotTables, readNeededData } from "../store/retention.ts";
import type { Database } from "./database/schema.ts";
import type { StoreSession } from "./process/store-session.ts";
import { repeat } from "./repeat.ts";

const EVERY_MS = 6 * HOUR_MS;
/** The first maintenance runs late, so that it does not slow down the start. In ms. */
const FIRST_MS = 10 * MINUTE_MS;
/** Data past retention is purged once a day, by one process. A round comes a little early or late. In ms. */
const PURGE_EVERY_MS = 23 * HOUR_MS;
/** How long a process that purges is waited for after its last sign of life, in ms. */
const LEASE_MS = 10 * MINUTE_MS;
/** Between two statements of a purge, in ms: it is in no hurry. */
const PAUSE_MS = 20;
/** How long the requests and responses of webhook deliveries are stored, in ms. */
const WEBHOOK_RECORDS_MS = 30 * DAY_MS;

/**
 * Starts the maintenance of the database: deletes what is past retention, in one process at a time, and vacuums the embedded database.
 */
export function startMaintenance(
  { store, clock }: StoreSession,
  { retention, log }: { readonly retention: Retention; readonly log: Logger },
) {
  const holder = randomUUID();
  const maintain = async (signal: AbortSignal): Promise<void> => {
    const pause = () => sleep(PAUSE_MS, undefined, { signal, ref: false });
    await expireChangeDetails(store.db, clock.now(), pause);
    await deleteExpiredHookRecords(store.db, clock.now() - WEBHOOK_RECORDS_MS);
    const times = { leaseMs: LEASE_MS, everyMs: PURGE_EVERY_MS, missedSinceMs: null };
    await doInTurn(store.db, { work: "purge", holder, signal, ...times }, async () => {
      const removed = await purgeOldData(store.db, { retention, nowMs: clock.now(), pause });
      log.info({ removed }, "data past retention was deleted");
    });
    await maintainStore(store);
  };
  return repeat(maintain, {
    ...{ firstMs: FIRST_MS, everyMs: EVERY_MS },
    onError: (error) => log.warn({ error }, "maintenance failed"),
  });
}

/**
 * Vacuums and analyses the embedded database, which has no autovacuum: without it, dead rows of the queue
 * would stay and the planner would have no statistics. Takes about 0.2 s after a busy day.
 */
export async function maintainStore(store: Store): Promise<void> {
  if (store.engine.kind === "pglite") await sql`vacuum (analyze)`.execute(store.db);
}

/** A pull request that was closed less than this time ago may be reopened: what it rests on is kept. In ms. */
const REOPENED_MS = 7 * DAY_MS;
/** How long notifications are stored, in ms: they contain titles and amounts, and show what a target was notified of. */
const NOTIFICATIONS_MS = 31 * DAY_MS;

interface Purge {
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
