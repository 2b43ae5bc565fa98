import type { PgBoss } from "pg-boss";
import { JobFailure } from "./failure.ts";

/** A job's own view of itself. */
export interface Attempt {
  /** Counts from 1. */
  readonly attempt: number;
  readonly lastAttempt: boolean;
  /** Aborted when the queue takes the job away. */
  readonly signal: AbortSignal;
}

export type LaneHandler = (lane: string, attempt: Attempt) => Promise<void>;

/** How often a worker looks for a job that nobody told it of. */
export const everySeconds = (seconds: number) =>
  ({ pollingIntervalSeconds: seconds, notifyPollingIntervalSeconds: seconds }) as const;

/** Each look is a query, so workers that all look often keep an idle database busy; one of those that are free is told to look. */
const SELDOM = everySeconds(10);

export interface Work {
  readonly workers: number;
  readonly handler: LaneHandler;
  /** Until a job that became due is found, ms. */
  readonly pollMs: number;
  /** Ends the looking, not the workers. */
  readonly signal: AbortSignal;
}

/**
 * Workers of one job each. Whoever takes a job wakes one that is free, so that all work on a backlog, and looks again when it is
 * done: pg-boss wakes its workers when a job is new, and not when one becomes due.
 */
export async function workEach(
  boss: PgBoss,
  queue: "lane" | "comment",
  { workers, handler, pollMs, signal }: Work,
): Promise<void> {
  const free = new Set<string>();
  const startNext = () => {
    const [worker] = free;
    if (worker !== undefined) boss.notifyWorker(worker);
  };
  const options = { ...SELDOM, batchSize: 1, groupConcurrency: 1, includeMetadata: true } as const;
  for (let index = 0; index < workers; index++) {
    const worker: string = await boss.work<{ lane: string }, unknown, typeof options>(
      queue,
      options,
      async ([job]) => {
        if (job === undefined) return;
        free.delete(worker);
        startNext();
        try {
          await handler(job.data.lane, {
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
  const looking = setInterval(startNext, pollMs);
  signal.addEventListener("abort", () => clearInterval(looking), { once: true });
}
