import { randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import type { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { retryLost } from "../store/database/lost-connection.ts";
import { NO_TELEMETRY, type Telemetry } from "../telemetry/telemetry.ts";
import { keepWaitsBounded } from "./bounded-waits.ts";
import { createDeliveryInbox, type DeliveryAcceptance } from "./delivery-inbox.ts";
import { createEnding, type QueueEnding } from "./drain.ts";
import { toFailedResult } from "./failure.ts";
import { findOrigin } from "./find-origin.ts";
import { createNotificationQueue, type NotificationQueue } from "./notification-queue.ts";
import { countQueueJobs, isQueueMoving, type QueueCount } from "./progress.ts";
import { watchSaturation } from "./saturation.ts";
import { buildPolling, type LaneHandler, LaneJob, startWorkers, toSeconds } from "./workers.ts";

/**
 * What may have changed at the time of an alarm: the decision, which is the default; or the check or the comments on GitHub, by a late
 * request. An alarm for late comments enqueues the comment job, each other one the lane.
 */
export type AlarmKind = "decision" | "late check" | "late comments";

export interface Queue extends NotificationQueue {
  /** Stores a delivery; it is durable when the promise is fulfilled. */
  acceptDelivery(deliveryId: string, event: object): Promise<DeliveryAcceptance>;
  /** Enqueues a lane's job, to start `delayMs` from now; replaces the lane's waiting job. */
  enqueue(lane: string, delayMs?: number): Promise<void>;
  /** Enqueues the lane at `atMs` (ms since 1970); replaces the lane's earlier alarm of this kind. */
  setAlarm(lane: string, atMs: number, kind?: AlarmKind): Promise<void>;
  /** Enqueues an update of the pull request's comments from its newest evaluation. */
  enqueueComment(lane: string): Promise<void>;
  /** Stores a job of the embedded platform durably. */
  enqueuePlatformJob(job: object): Promise<void>;
  /** Runs `handler` for each delivery, `batch` at a time; one that throws is retried alone. */
  workDeliveries(handler: (event: object) => Promise<void>): Promise<void>;
  workLanes(workers: number, handler: LaneHandler): Promise<void>;
  workComments(workers: number, handler: LaneHandler): Promise<void>;
  /** Runs `handler` for each job of the embedded platform; one that throws is retried. */
  workPlatform<T>(schema: z.ZodType<T>, handler: (job: T) => Promise<void>): Promise<void>;
  /** Whether no delivery, lane, comment or platform job waits or runs. Alarms that are not due and notifications do not count. */
  isIdle(): Promise<boolean>;
  /** Whether jobs that are due are processed, by whichever process. */
  isMoving(): Promise<boolean>;
  /** Counts the open jobs of every queue, of all processes. */
  countJobs(): Promise<readonly QueueCount[]>;
  /** Takes no more jobs, completes those that run or returns them to the queue for another process, and closes. */
  stop(): Promise<void>;
}

/** A queue whose workers can end before it is closed. */
export type DrainableQueue = Queue & QueueEnding;

const OPEN_JOBS = `select 1 from queue.job
  where name in ('delivery', 'lane', 'comment', 'platform') and state in ('created', 'retry', 'active') limit 1`;

/**
 * How often a queue is polled, in seconds. The database announces jobs that are due at once; polling finds those that become due
 * later: a job after a lane's pause, or a retry.
 */
const POLL_SECONDS = {
  lane: 0.5,
  alarm: 0.5,
  comment: 1,
  notification: 1,
  delivery: 1,
  platform: 1,
} as const;
const DELIVERY_BATCH = 25;

/** The queue's interface to the rest of the source; it hides pg-boss. Jobs carry the origin that `telemetry` states. */
export function createQueue(
  boss: PgBoss,
  clock: Clock,
  telemetry: Pick<Telemetry, "origin"> = NO_TELEMETRY,
): DrainableQueue {
  const inbox = createDeliveryInbox(boss);
  const ended = new AbortController();
  const { signal } = ended;
  return {
    acceptDelivery: inbox,
    enqueue: async (lane, delayMs = 0) => {
      const startAfter = toSeconds(delayMs);
      const origin = await findOrigin(boss, "lane", { lane, telemetry });
      const job = { lane, waitSeconds: startAfter, ...origin };
      await retryLost(() => boss.upsert("lane", job, { ...buildLaneOptions(lane), startAfter }));
    },
    setAlarm: async (lane, atMs, kind = "decision") => {
      const startAfter = toSeconds(atMs - clock.now());
      const job = { lane, waitSeconds: startAfter, kind };
      const singletonKey = kind === "decision" ? lane : `${lane} ${kind}`;
      await retryLost(() => boss.upsert("alarm", job, { singletonKey, startAfter }));
    },
    enqueueComment: async (lane) => {
      const job = { lane, ...(await findOrigin(boss, "comment", { lane, telemetry })) };
      await retryLost(() => boss.upsert("comment", job, buildLaneOptions(lane)));
    },
    ...createNotificationQueue(boss, clock, signal),
    enqueuePlatformJob: async (job) => {
      const id = randomUUID(); // chosen before the first attempt, so that a second attempt adds no second job
      await retryLost(() => boss.send("platform", job, { id }));
    },
    workPlatform: async (schema, handler) => {
      await startBatchWorker(boss, "platform", async (data) => handler(schema.parse(data)));
    },
    workDeliveries: async (handler) => {
      await startBatchWorker(boss, "delivery", handler);
    },
    workLanes: async (workers, handler) => {
      keepWaitsBounded(boss, signal);
      const pollMs = POLL_SECONDS.lane * 1_000;
      await startWorkers(boss, "lane", { workers, isSaturated: watchSaturation(), handler, pollMs, signal });
      await startBatchWorker(boss, "alarm", async (data) => {
        const { lane, kind } = LaneJob.parse(data);
        const queue = kind === "late comments" ? "comment" : "lane";
        await retryLost(() => boss.upsert(queue, { lane, waitSeconds: 0 }, buildLaneOptions(lane)));
      });
    },
    workComments: async (workers, handler) => {
      await startWorkers(boss, "comment", { workers, handler, pollMs: POLL_SECONDS.comment * 1_000, signal });
    },
    isIdle: async () => (await retryLost(() => boss.getDb().executeSql(OPEN_JOBS))).rows.length === 0,
    isMoving: () => isQueueMoving(boss),
    countJobs: () => countQueueJobs(boss),
    ...createEnding(boss, ended),
  };
}

/** One waiting job per lane, and (with `groupConcurrency: 1`) one running. */
const buildLaneOptions = (lane: string) => ({ singletonKey: lane, group: { id: lane } });

/** One worker that takes a batch; each job of the batch succeeds or fails alone. */
async function startBatchWorker(
  boss: PgBoss,
  queue: Exclude<keyof typeof POLL_SECONDS, "lane" | "comment">,
  handler: (data: object) => Promise<void>,
): Promise<void> {
  const options = {
    ...buildPolling(POLL_SECONDS[queue]),
    batchSize: DELIVERY_BATCH,
    perJobResults: true,
    burstWhenBatchFull: true,
  } as const;
  await boss.work<object, unknown, typeof options>(queue, options, (jobs) =>
    Promise.all(
      jobs.map(async (job) => {
        try {
          await handler(job.data);
          return { id: job.id, status: "completed" as const };
        } catch (error) {
          return toFailedResult(job, error);
        }
      }),
    ),
  );
}
