import type { JobResult, JobWithMetadata, PgBoss } from "pg-boss";
import { z } from "zod";
import { JobOrigin } from "../telemetry/job-origin.ts";
import { toFailedResult } from "./inspection.ts";
import { OWN_RETRIES } from "./names.ts";

/** What a job of a lane contains, of which more may be stored. */
export const LaneJob = z.object({
  lane: z.string(),
  /** Another version may have written it; a job never fails for it. */
  origin: JobOrigin.optional().catch(undefined),
  /** Of an alarm. */
  kind: z.string().optional().catch(undefined),
});

/** Which attempt of a job this is. */
export interface JobAttempt {
  /** Counts from 1. */
  readonly attempt: number;
  /** More attempts follow only during an outage of GitHub or the database. */
  readonly lastAttempt: boolean;
  /** Aborted when the queue withdraws the job. */
  readonly signal: AbortSignal;
  /** Null: unknown. */
  readonly origin: JobOrigin | null;
}

export type LaneHandler = (lane: string, attempt: JobAttempt) => Promise<void>;

/** How often a worker polls. */
export const buildPolling = (seconds: number) =>
  ({ pollingIntervalSeconds: seconds, notifyPollingIntervalSeconds: seconds }) as const;

/** A delay instead of a time, because the queue uses the database's clock. */
export const toSeconds = (ms: number): number => Math.max(ms, 0) / 1_000;

/** The database announces jobs that are due; polling finds those that become due later, see `WorkerOptions.pollMs`. */
const SLOW_POLLING = buildPolling(10);
const OPTIONS = {
  ...SLOW_POLLING,
  batchSize: 1,
  groupConcurrency: 1,
  includeMetadata: true,
  perJobResults: true,
} as const;

type LaneQueue = "lane" | "comment" | "notification";

export interface WorkerOptions {
  /** Most jobs at the same time. */
  readonly workers: number;
  /** Whether the process is saturated, so that it runs only a few jobs at the same time. Absent: never. */
  readonly isSaturated?: () => boolean;
  readonly handler: LaneHandler;
  /** Longest time until a job that became due is found, in ms. */
  readonly pollMs: number;
  /** Ends the polling, not the workers. */
  readonly signal: AbortSignal;
}

/** Most jobs at the same time in a saturated process: enough to wait for several calls at once. */
const WORKERS_WHEN_SATURATED = 4;

/** Starts workers of one job each: one that waits for a job, and one for each running job. */
export async function startWorkers(boss: PgBoss, queue: LaneQueue, options: WorkerOptions): Promise<void> {
  const pool = new WorkerPool(boss, queue, options);
  await pool.addWorker();
  const timer = setInterval(() => pool.wake(), options.pollMs);
  options.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/**
 * Workers of one queue. An announced job wakes every worker that waits, and each of them queries the database: so only one waits. It
 * adds the next one when it takes a job, and stays in its place when it is done, because a job of the same lane may have waited for
 * it.
 */
class WorkerPool {
  readonly #boss: PgBoss;
  readonly #queue: LaneQueue;
  readonly #options: WorkerOptions;
  /** The worker that waits; null: all are busy. */
  #waiting: string | null = null;
  /** Workers that end; one of them may have taken a job before. */
  readonly #ending = new Set<string>();
  #running = 0;
  #isAdding = false;

  constructor(boss: PgBoss, queue: LaneQueue, options: WorkerOptions) {
    this.#boss = boss;
    this.#queue = queue;
    this.#options = options;
  }

  /** Queries for a job that is due, if a worker is free; adds one where there is room again. */
  wake(): void {
    if (this.#waiting !== null) this.#boss.notifyWorker(this.#waiting);
    else if (this.#hasRoom()) void this.#addNext();
  }

  #hasRoom(): boolean {
    const { workers, isSaturated } = this.#options;
    const few = Math.min(workers, WORKERS_WHEN_SATURATED);
    return this.#running < few || (this.#running < workers && isSaturated?.() !== true);
  }

  /** When the queue ends, no worker is added: it would take a job and add the next one. */
  async addWorker(): Promise<void> {
    if (this.#options.signal.aborted) return;
    const worker: string = await this.#boss.work<unknown, unknown, typeof OPTIONS>(
      this.#queue,
      OPTIONS,
      async ([job]) => {
        if (job === undefined) return [];
        await this.#begin(worker);
        try {
          return [await this.#handle(job)];
        } finally {
          this.#end(worker);
        }
      },
    );
    this.#replaceWaiting(worker);
  }

  async #begin(worker: string): Promise<void> {
    this.#running += 1;
    if (this.#waiting !== worker) return;
    this.#waiting = null;
    if (this.#hasRoom()) await this.#addNext();
  }

  #end(worker: string): void {
    this.#running -= 1;
    if (this.#ending.has(worker)) {
      if (this.#waiting === null && this.#hasRoom()) void this.#addNext();
    } else if (this.#hasRoom()) this.#replaceWaiting(worker);
    else this.#endWorker(worker);
    this.wake();
  }

  /** Without a next worker, one that is done with its job takes its place. */
  async #addNext(): Promise<void> {
    if (this.#isAdding) return;
    this.#isAdding = true;
    await this.addWorker().catch(() => {});
    this.#isAdding = false;
  }

  #replaceWaiting(worker: string): void {
    const other = this.#waiting;
    this.#waiting = worker;
    if (other !== null && other !== worker) this.#endWorker(other);
  }

  #endWorker(worker: string): void {
    this.#ending.add(worker);
    const ended = this.#boss.offWork(this.#queue, { id: worker, wait: true });
    void ended.finally(() => this.#ending.delete(worker));
  }

  async #handle(job: JobWithMetadata<unknown>): Promise<JobResult> {
    const { id, data, retryCount, retryLimit, signal } = job;
    try {
      const { lane, origin = null } = LaneJob.parse(data);
      const attempt = retryCount + 1;
      const lastAttempt = retryCount >= Math.min(retryLimit, OWN_RETRIES);
      await this.#options.handler(lane, { origin, attempt, lastAttempt, signal });
      return { id, status: "completed" };
    } catch (error) {
      return toFailedResult(job, error);
    }
  }
}
