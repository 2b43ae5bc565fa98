import type { PgBoss } from "pg-boss";
import { z } from "zod";
import { JobOrigin } from "../telemetry/job-origin.ts";
import { JobFailure } from "./failure.ts";

/** What a job of a lane contains, of which more may be stored. */
export const LaneJob = z.object({
  lane: z.string(),
  /** Another version may have written it; a job never fails for it. */
  origin: JobOrigin.optional().catch(undefined),
});

/** Which attempt of a job this is. */
export interface JobAttempt {
  /** Counts from 1. */
  readonly attempt: number;
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

/** Each poll is a query, so frequent polls by all workers would load an idle database; instead one free worker is notified. */
const SLOW_POLLING = buildPolling(10);

export interface WorkerOptions {
  readonly workers: number;
  readonly handler: LaneHandler;
  /** Longest time until a job that became due is found, in ms. */
  readonly pollMs: number;
  /** Ends the polling, not the workers. */
  readonly signal: AbortSignal;
}

/**
 * Starts workers of one job each. A worker that takes a job notifies a free one, so that all of them process a backlog, and polls
 * again when it is done: pg-boss notifies its workers of new jobs, not of jobs that become due.
 */
export async function startWorkers(
  boss: PgBoss,
  queue: "lane" | "comment" | "notification",
  { workers, handler, pollMs, signal }: WorkerOptions,
): Promise<void> {
  const free = new Set<string>();
  const startNext = () => {
    const [worker] = free;
    if (worker !== undefined) boss.notifyWorker(worker);
  };
  const options = { ...SLOW_POLLING, batchSize: 1, groupConcurrency: 1, includeMetadata: true } as const;
  for (let index = 0; index < workers; index++) {
    const worker: string = await boss.work<unknown, unknown, typeof options>(
      queue,
      options,
      async ([job]) => {
        if (job === undefined) return;
        free.delete(worker);
        startNext();
        try {
          const { lane, origin = null } = LaneJob.parse(job.data);
          await handler(lane, {
            origin,
            attempt: job.retryCount + 1,
            lastAttempt: job.retryCount >= job.retryLimit,
            signal: job.signal,
          });
        } catch (error) {
          throw new JobFailure(error);
        } finally {
          free.add(worker);
          boss.notifyWorker(worker);
        }
      },
    );
    free.add(worker);
  }
  const timer = setInterval(startNext, pollMs);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
