import { randomUUID } from "node:crypto";
import type { AlarmKind, Queue } from "../../src/queue/queue.ts";
import { type LaneHandler, LaneJob } from "../../src/queue/workers.ts";
import { retryLost } from "../../src/store/database/lost-connection.ts";
import { type Claim, currentClaim, type JobStore, type QueueName } from "./job-store.ts";
import { currentLife, type Life } from "./life.ts";

type Handler = (claim: Claim) => Promise<void>;

interface Workers {
  readonly handler: Handler;
  readonly workers: number;
  running: number;
}

/** The queue of one life of the bot, on the disk that outlives it. */
export interface SimulatedQueue extends Queue {
  /** Starts due jobs on free workers; true: one was started. */
  startDue(): boolean;
  /** Every running job is taken from its worker, which goes on: it was paused for too long. */
  losesClaims(): void;
  /** Takes no more jobs. */
  drains(): void;
  isBusy(): boolean;
  /** Since when the lane's oldest run runs, also one that lost its claim; null: none does. */
  runningSince(lane: string): number | null;
}

/** Whose jobs keep the bot from being idle. */
export const WORK_QUEUES = ["delivery", "lane", "comment", "platform"] as const satisfies QueueName[];

/** More would only be the same again: two lanes at once are enough to meet. */
const LANES = 3;

export function createSimulatedQueue(store: JobStore, life: Life): SimulatedQueue {
  const queues = new Map<QueueName, Workers>();
  const held = store.holders;
  const running = new Map<Claim, number>();
  let isDraining = false;
  const write = <T>(work: () => T): Promise<T> => retryLost(() => store.write(life, work));
  const lane = (queue: QueueName, key: string, delayMs: number) =>
    write(() => store.upsert({ queue, key, data: { lane: key }, delayMs: Math.max(0, delayMs) }));
  const setAlarm = (key: string, atMs: number, kind: AlarmKind = "decision") => {
    const delayMs = Math.max(0, atMs - Date.now());
    return write(() =>
      store.upsert({ queue: "alarm", key: `${key} ${kind}`, data: { lane: key, kind }, delayMs }),
    );
  };

  async function run(claim: Claim, workers: Workers): Promise<void> {
    workers.running += 1;
    held.set(claim.job, { claim, life });
    running.set(claim, claim.job.startedMs);
    try {
      await currentClaim.run(claim, () => workers.handler(claim));
      store.handled.add(claim.job.id);
      await store.write(life, () => store.complete(claim));
    } catch {
      // A failure that cannot be stored either leaves the job to the heartbeat.
      await store.write(life, () => store.fail(claim)).catch(() => {});
    } finally {
      if (held.get(claim.job)?.claim === claim) held.delete(claim.job);
      running.delete(claim);
      workers.running -= 1;
    }
  }

  const work = (queue: QueueName, workers: number, handler: Handler) => {
    queues.set(queue, { handler, workers, running: 0 });
    return Promise.resolve();
  };
  const workLane = (queue: QueueName, handler: LaneHandler) =>
    work(queue, LANES, async ({ job, attempt }) => {
      const { lane: key } = LaneJob.parse(job.data);
      const signal = new AbortController().signal;
      await handler(key, { origin: null, attempt: attempt + 1, lastAttempt: attempt >= 10, signal });
    });

  return {
    acceptDelivery: (id, event) =>
      write(() => {
        if (store.insert(id, { queue: "delivery", key: null, data: event, delayMs: 0 })) return "queued";
        store.retryFailed(id);
        return "duplicate";
      }),
    enqueue: (key, delayMs = 0) => lane("lane", key, delayMs),
    setAlarm,
    enqueueComment: (key) => lane("comment", key, 0),
    enqueueNotifications: (target, atMs) => {
      const delayMs = atMs === undefined ? 0 : Math.max(0, atMs - Date.now());
      const key = atMs === undefined ? target : `${target} later`;
      return write(() => store.upsert({ queue: "notification", key, data: { lane: target }, delayMs }));
    },
    enqueuePlatformJob: (data) =>
      write(() => void store.insert(randomUUID(), { queue: "platform", key: null, data, delayMs: 0 })),
    workDeliveries: (handler) => work("delivery", 25, ({ job }) => handler(job.data)),
    workLanes: async (_workers, handler) => {
      await workLane("lane", handler);
      await work("alarm", 25, ({ job }) => {
        const { lane: key, kind } = LaneJob.parse(job.data);
        return lane(kind === "late comments" ? "comment" : "lane", key, 0);
      });
    },
    workComments: (_workers, handler) => workLane("comment", handler),
    workNotifications: (_workers, handler) => workLane("notification", handler),
    workPlatform: (schema, handler) => work("platform", 25, ({ job }) => handler(schema.parse(job.data))),
    isIdle: async () => store.listOpen(WORK_QUEUES).length === 0,
    isMoving: async () => true,
    countJobs: async () => [],
    stop: async () => {},
    startDue() {
      if (life.isOver || isDraining) return false;
      store.expire();
      let isStarted = false;
      for (const [queue, workers] of queues) {
        for (
          let claim = nextOf(store, queue, workers);
          claim !== null;
          claim = nextOf(store, queue, workers)
        ) {
          void currentLife.run(life, run, claim, workers);
          isStarted = true;
        }
      }
      return isStarted;
    },
    losesClaims() {
      for (const [job, { claim, life: holder }] of held) {
        if (holder !== life) continue;
        store.fail(claim);
        held.delete(job);
      }
    },
    drains() {
      isDraining = true;
    },
    isBusy: () => running.size > 0,
    runningSince(key) {
      const since = [...running].flatMap(([claim, startedMs]) =>
        claim.job.queue === "lane" && claim.job.key === key ? [startedMs] : [],
      );
      return since.length === 0 ? null : Math.min(...since);
    },
  };
}

const nextOf = (store: JobStore, queue: QueueName, { workers, running }: Workers): Claim | null =>
  running >= workers ? null : store.fetch(queue);
