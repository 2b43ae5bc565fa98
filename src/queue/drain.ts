import { setTimeout as sleep } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { QUEUES } from "./names.ts";

/** How long a process that ends completes its jobs, in ms. A job that takes longer is repeated by another process. */
const DRAIN_MS = 6_000;

/** The shortest time that pg-boss accepts, in ms. */
const CLOSE_MS = 1_000;

/** The two steps that end a queue. */
export interface QueueEnding {
  /** Takes no more jobs and waits some seconds for those that run; deliveries are stored as before. */
  drain(): Promise<void>;
  /** Drains, returns jobs that still run to the queue for another process, and closes. */
  stop(): Promise<void>;
}

/** Creates the two steps that end a queue, each of them once. `ended` is aborted by the first. */
export function createEnding(boss: PgBoss, ended: AbortController): QueueEnding {
  let draining: Promise<void> | null = null;
  const drain = (): Promise<void> => {
    ended.abort();
    draining ??= drainWorkers(boss);
    return draining;
  };
  return {
    drain,
    stop: async () => {
      await drain();
      await boss.stop({ graceful: true, timeout: CLOSE_MS });
    },
  };
}

async function drainWorkers(boss: PgBoss): Promise<void> {
  const isDone = new AbortController();
  const late = sleep(DRAIN_MS, undefined, { signal: isDone.signal, ref: false }).catch(() => {});
  await Promise.race([Promise.all(Object.keys(QUEUES).map((name) => boss.offWork(name))), late]);
  isDone.abort();
}
