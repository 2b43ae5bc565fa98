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

/**
 * Starts workers of one job each. An announced job wakes every worker that waits, and each of them queries the database: so only one
 * waits. It adds the next one when it takes a job, and ends with its job when another one waits by then.
 */
export async function startWorkers(
  boss: PgBoss,
  queue: LaneQueue,
  { workers, handler, pollMs, signal }: WorkerOptions,
): Promise<void> {
  /** The worker that waits; null: all are busy. */
  let waiting: string | null = null;
  let isAdding = false;
  let running = 0;

  /** Queries for a job that is due, if a worker is free; adds one where an earlier attempt failed. */
  const wake = (): void => {
    if (waiting !== null) boss.notifyWorker(waiting);
    else void addNext();
  };

  /** When the queue ends, no worker is added: it would take a job and add the next one. */
  async function addWorker(): Promise<void> {
    if (signal.aborted) return;
    const worker: string = await boss.work<unknown, unknown, typeof OPTIONS>(
      queue,
      OPTIONS,
      async ([job]) => {
        if (job === undefined) return [];
        running += 1;
        waiting = null; // it was this one
        await addNext();
        try {
          return [await handleJob(job, handler)];
        } finally {
          running -= 1;
          release(worker);
        }
      },
    );
    waiting = worker;
  }

  async function addNext(): Promise<void> {
    if (isAdding || running >= workers) return;
    isAdding = true;
    await addWorker().catch(() => {}); // the next poll tries again
    isAdding = false;
  }

  /** The next job of the lane can be taken only when this one is stored as done: by this worker, or after its end. */
  function release(worker: string): void {
    if (waiting === null && !isAdding) {
      waiting = worker;
      wake();
    } else void boss.offWork(queue, { id: worker, wait: true }).finally(wake);
  }

  await addWorker();
  const timer = setInterval(wake, pollMs);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

async function handleJob(job: JobWithMetadata<unknown>, handler: LaneHandler): Promise<JobResult> {
  const { id, data, retryCount, retryLimit, signal } = job;
  try {
    const { lane, origin = null } = LaneJob.parse(data);
    const lastAttempt = retryCount >= Math.min(retryLimit, OWN_RETRIES);
    await handler(lane, { origin, attempt: retryCount + 1, lastAttempt, signal });
    return { id, status: "completed" };
  } catch (error) {
    return toFailedResult(job, error);
  }
}
