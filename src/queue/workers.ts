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
  readonly workers: number;
  readonly handler: LaneHandler;
  /** Longest time until a job that became due is found, in ms. */
  readonly pollMs: number;
  /** Ends the polling, not the workers. */
  readonly signal: AbortSignal;
}

/** Starts workers of one job each: one that waits for a job, and one for each running job. */
export async function startWorkers(boss: PgBoss, queue: LaneQueue, options: WorkerOptions): Promise<void> {
  const pool = new WorkerPool(boss, queue, options);
  await pool.addWorker();
  const timer = setInterval(() => pool.wake(), options.pollMs);
  options.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/**
 * Workers of one queue. An announced job wakes every worker that waits, and each of them queries the database: so only one waits. It
 * adds the next one when it takes a job, and ends with its job when another one waits by then.
 */
class WorkerPool {
  readonly #boss: PgBoss;
  readonly #queue: LaneQueue;
  readonly #options: WorkerOptions;
  /** The worker that waits; null: all are busy. */
  #waiting: string | null = null;
  #isAdding = false;
  #running = 0;

  constructor(boss: PgBoss, queue: LaneQueue, options: WorkerOptions) {
    this.#boss = boss;
    this.#queue = queue;
    this.#options = options;
  }

  /** Queries for a job that is due, if a worker is free; adds one where an earlier attempt failed. */
  wake(): void {
    if (this.#waiting !== null) this.#boss.notifyWorker(this.#waiting);
    else void this.#addNext();
  }

  /** When the queue ends, no worker is added: it would take a job and add the next one. */
  async addWorker(): Promise<void> {
    if (this.#options.signal.aborted) return;
    const worker: string = await this.#boss.work<unknown, unknown, typeof OPTIONS>(
      this.#queue,
      OPTIONS,
      async ([job]) => {
        if (job === undefined) return [];
        this.#running += 1;
        this.#waiting = null; // it was this one
        await this.#addNext();
        try {
          return [await this.#handle(job)];
        } finally {
          this.#running -= 1;
          this.#release(worker);
        }
      },
    );
    this.#waiting = worker;
  }

  async #addNext(): Promise<void> {
    if (this.#isAdding || this.#running >= this.#options.workers) return;
    this.#isAdding = true;
    await this.addWorker().catch(() => {}); // the next poll tries again
    this.#isAdding = false;
  }

  /** The next job of the lane can be taken only when this one is stored as done: by this worker, or after its end. */
  #release(worker: string): void {
    if (this.#waiting === null && !this.#isAdding) {
      this.#waiting = worker;
      this.wake();
    } else void this.#boss.offWork(this.#queue, { id: worker, wait: true }).finally(() => this.wake());
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
