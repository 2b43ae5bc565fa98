import type { PgBoss } from "pg-boss";
import type { Clock } from "../kernel/clock.ts";
import { retryLost } from "../store/database/lost-connection.ts";
import { startWorkers, toSeconds } from "./workers.ts";

/** The jobs that send notifications. */
export interface NotificationQueue {
  /**
   * Enqueues the sending of what waits for a target; `atMs` (ms since 1970; default: now). The job for now and the one for later do not
   * replace each other.
   */
  enqueueNotifications(target: string, atMs?: number): Promise<void>;
  /** Runs `handler` for each job, for one target never twice at the same time. */
  workNotifications(workers: number, handler: (target: string) => Promise<void>): Promise<void>;
}

const POLL_MS = 1_000;

export const createNotificationQueue = (
  boss: PgBoss,
  clock: Clock,
  signal: AbortSignal,
): NotificationQueue => ({
  enqueueNotifications: async (target, atMs) => {
    const startAfter = atMs === undefined ? 0 : toSeconds(atMs - clock.now());
    const singletonKey = atMs === undefined ? target : `${target} later`;
    const options = { singletonKey, group: { id: target }, startAfter };
    await retryLost(() => boss.upsert("notification", { lane: target }, options));
  },
  workNotifications: (workers, handler) =>
    startWorkers(boss, "notification", { workers, handler, pollMs: POLL_MS, signal }),
});
