import { randomUUID } from "node:crypto";
import type { PgBoss } from "pg-boss";
import type { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { retryLost } from "../store/database/connection-lost.ts";
import { type DeliveryAcceptance, deliveryInbox } from "./delivery-inbox.ts";
import { JobFailure } from "./failure.ts";
import { keepWaitsBounded } from "./waits.ts";
import { everySeconds, type LaneHandler, workEach } from "./workers.ts";

export interface Queue {
  /** Durable when the promise is fulfilled. */
  acceptDelivery(deliveryId: string, event: object): Promise<DeliveryAcceptance>;
  /** Asks a lane to run `delayMs` from now; a wake that still waits is replaced. */
  enqueue(lane: string, delayMs?: number): Promise<void>;
  /** Asks a lane to run at `atMs` (ms since 1970); replaces the lane's earlier alarm. */
  setAlarm(lane: string, atMs: number): Promise<void>;
  /** Asks that the lane's pull request be told what its newest evaluation says. */
  enqueueComment(lane: string): Promise<void>;
  /** Keeps a job of the embedded platform durably. */
  enqueuePlatformJob(job: object): Promise<void>;
  /** Runs `handler` for each delivery, `batch` at a time; one that throws is retried alone. */
  workDeliveries<T>(schema: z.ZodType<T>, handler: (event: T) => Promise<void>): Promise<void>;
  workLanes(workers: number, handler: LaneHandler): Promise<void>;
  workComments(workers: number, handler: LaneHandler): Promise<void>;
  /** Runs `handler` for each job of the embedded platform; one that throws is retried. */
  workPlatform<T>(schema: z.ZodType<T>, handler: (job: T) => Promise<void>): Promise<void>;
  /** Whether nothing waits or runs: no delivery, no lane, no comment, no job of the platform. Alarms that are not due do not count. */
  isIdle(): Promise<boolean>;
  stop(): Promise<void>;
}

const OPEN_JOBS = `select 1 from queue.job
  where name in ('delivery', 'lane', 'comment', 'platform') and state in ('created', 'retry', 'active') limit 1`;

/**
 * How often a queue is looked at without being told, in seconds. What is due now is told by the database; what becomes due later,
 * a wake after a lane's pause or a retry, is found by looking.
 */
const POLL_SECONDS = { lane: 0.5, alarm: 0.5, comment: 1, delivery: 1, platform: 1 } as const;
const DELIVERY_BATCH = 25;

/** The queue as the jobs see it; pg-boss stays behind it. */
export function createQueue(boss: PgBoss, clock: Clock): Queue {
  const inbox = deliveryInbox(boss);
  const ended = new AbortController();
  const { signal } = ended;
  return {
    acceptDelivery: inbox,
    enqueue: async (lane, delayMs = 0) => {
      const startAfter = secondsOf(delayMs);
      const job = { lane, waitSeconds: startAfter };
      await retryLost(() => boss.upsert("lane", job, { ...keyed(lane), startAfter }));
    },
    setAlarm: async (lane, atMs) => {
      const startAfter = secondsOf(atMs - clock.now());
      const job = { lane, waitSeconds: startAfter };
      await retryLost(() => boss.upsert("alarm", job, { singletonKey: lane, startAfter }));
    },
    enqueueComment: async (lane) => {
      await retryLost(() => boss.upsert("comment", { lane }, keyed(lane)));
    },
    enqueuePlatformJob: async (job) => {
      const id = randomUUID(); // known before the first try, so that a second try adds no second job
      await retryLost(() => boss.send("platform", job, { id }));
    },
    workPlatform: async (schema, handler) => {
      await work(boss, "platform", async (data) => handler(schema.parse(data)));
    },
    workDeliveries: async (schema, handler) => {
      await work(boss, "delivery", async (data) => handler(schema.parse(data)));
    },
    workLanes: async (workers, handler) => {
      keepWaitsBounded(boss, signal);
      await workEach(boss, "lane", { workers, handler, pollMs: POLL_SECONDS.lane * 1_000, signal });
      await work(boss, "alarm", async (data) => {
        const { lane } = data as { lane: string }; // written by setAlarm alone
        await retryLost(() => boss.upsert("lane", { lane, waitSeconds: 0 }, keyed(lane)));
      });
    },
    workComments: async (workers, handler) => {
      await workEach(boss, "comment", { workers, handler, pollMs: POLL_SECONDS.comment * 1_000, signal });
    },
    isIdle: async () => (await retryLost(() => boss.getDb().executeSql(OPEN_JOBS))).rows.length === 0,
    stop: () => {
      ended.abort();
      return boss.stop({ graceful: true, timeout: 20_000 });
    },
  };
}

/** One waiting job per lane, and (with `groupConcurrency: 1`) one running. */
const keyed = (lane: string) => ({ singletonKey: lane, group: { id: lane } });

/** A time from now, because the queue goes by the database's clock and not by ours. */
const secondsOf = (ms: number): number => Math.max(ms, 0) / 1_000;

/** One worker that takes a batch; each job of the batch succeeds or fails for itself. */
async function work(
  boss: PgBoss,
  queue: Exclude<keyof typeof POLL_SECONDS, "lane" | "comment">,
  handler: (data: object) => Promise<void>,
): Promise<void> {
  const options = {
    ...everySeconds(POLL_SECONDS[queue]),
    batchSize: DELIVERY_BATCH,
    perJobResults: true,
    burstWhenBatchFull: true,
  } as const;
  await boss.work<object, unknown, typeof options>(queue, options, (jobs) =>
    Promise.all(
      jobs.map(async ({ id, data }) => {
        try {
          await handler(data);
          return { id, status: "completed" as const };
        } catch (error) {
          const { code, message } = new JobFailure(error);
          return { id, status: "failed" as const, output: { code, message } };
        }
      }),
    ),
  );
}
