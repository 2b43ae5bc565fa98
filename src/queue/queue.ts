import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { JobInsert, PgBoss } from "pg-boss";
import { z } from "zod";
import { type Clock, HOUR_MS } from "../kernel/clock.ts";
import { readOnce } from "../kernel/read-once.ts";
import { copyUnstorable } from "../kernel/storable.ts";
import { findLastEntry } from "../store/database/lanes.ts";
import { retryLost } from "../store/database/lost-connection.ts";
import { runUrgently } from "../store/database/transaction.ts";
import { findMergeGroup, listBaseMergeGroups, saveMergeGroup } from "../store/merge-groups.ts";
import type { Tables } from "../store/tables/tables.ts";
import { type JobOrigin, mergeOrigins } from "../telemetry/job-origin.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { keepWaitsBounded } from "./bounded-waits.ts";
import { toFailedResult } from "./inspection.ts";
import { formatLaneKey, type LaneSubject, QUEUE_NAMES } from "./names.ts";
import { buildPolling, type LaneHandler, LaneJob, startWorkers, toSeconds } from "./workers.ts";

/**
 * What may have changed at the time of an alarm: the decision, which is the default; or the check or the comments on GitHub, by a late
 * request. An alarm for late comments enqueues the comment job, each other one the lane.
 */
export type AlarmKind = "decision" | "late check" | "late comments";

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

/** A queue whose workers can end before it is closed. */
export type DrainableQueue = ReturnType<typeof createQueue>;
export type Queue = Omit<DrainableQueue, "drain">;

/** The queue's interface to the rest of the source; it hides pg-boss. Jobs carry the origin that `telemetry` states. */
export function createQueue(
  boss: PgBoss,
  clock: Clock,
  telemetry: Pick<Telemetry, "origin"> = { origin: () => null },
) {
  const ended = new AbortController();
  const { signal } = ended;
  const drain = readOnce(() => {
    ended.abort();
    return drainWorkers(boss);
  });
  const workGroups = (queue: "lane" | "comment" | "notification", workers: number, handler: LaneHandler) =>
    startWorkers(boss, queue, { workers, handler, pollMs: POLL_SECONDS[queue] * 1_000, signal });
  return {
    /** Stores a delivery under its UUID in lower case; it is durable when the promise is fulfilled. */
    acceptDelivery: createDeliveryInbox(boss),
    /** Enqueues a lane's job, to start `delayMs` from now; replaces the lane's waiting job. */
    enqueue: async (lane: string, delayMs = 0): Promise<void> => {
      const startAfter = toSeconds(delayMs);
      const origin = await findOrigin(boss, "lane", { lane, telemetry });
      const job = { lane, waitSeconds: startAfter, ...origin };
      await retryLost(() => boss.upsert("lane", job, { ...buildLaneOptions(lane), startAfter }));
    },
    /** Enqueues the lane at `atMs` (ms since 1970); replaces the lane's earlier alarm of this kind. */
    setAlarm: async (lane: string, atMs: number, kind: AlarmKind = "decision"): Promise<void> => {
      const startAfter = toSeconds(atMs - clock.now());
      const job = { lane, waitSeconds: startAfter, kind };
      const singletonKey = kind === "decision" ? lane : `${lane} ${kind}`;
      await retryLost(() => boss.upsert("alarm", job, { singletonKey, startAfter }));
    },
    /** Enqueues an update of the pull request's comments from its newest evaluation. */
    enqueueComment: async (lane: string): Promise<void> => {
      const job = { lane, ...(await findOrigin(boss, "comment", { lane, telemetry })) };
      await retryLost(() => boss.upsert("comment", job, buildLaneOptions(lane)));
    },
    /**
     * Enqueues the sending of what waits for a target of notifications; `atMs` (ms since 1970; default: now). The job for now and the one for
     * later do not replace each other.
     */
    enqueueNotifications: async (target: string, atMs?: number): Promise<void> => {
      const startAfter = atMs === undefined ? 0 : toSeconds(atMs - clock.now());
      const singletonKey = atMs === undefined ? target : `${target} later`;
      const options = { singletonKey, group: { id: target }, startAfter };
      await retryLost(() => boss.upsert("notification", { lane: target }, options));
    },
    /** Stores a job of the embedded platform durably. */
    enqueuePlatformJob: async (job: object): Promise<void> => {
      const id = randomUUID(); // chosen before the first attempt, so that a second attempt adds no second job
      await retryLost(() => boss.send("platform", job, { id }));
    },
    /** Runs `handler` for each job of the embedded platform; one that throws is retried. */
    workPlatform: <T>(schema: z.ZodType<T>, handler: (job: T) => Promise<void>) =>
      startBatchWorker(boss, "platform", async (data) => handler(schema.parse(data))),
    /** Runs `handler` for each delivery; one that throws is retried alone. */
    workDeliveries: (handler: (event: object) => Promise<void>) =>
      startBatchWorker(boss, "delivery", handler),
    workLanes: async (workers: number, handler: LaneHandler): Promise<void> => {
      keepWaitsBounded(boss, signal);
      await workGroups("lane", workers, handler);
      await startBatchWorker(boss, "alarm", async (data) => {
        const { lane, kind } = LaneJob.parse(data);
        const queue = kind === "late comments" ? "comment" : "lane";
        await retryLost(() => boss.upsert(queue, { lane, waitSeconds: 0 }, buildLaneOptions(lane)));
      });
    },
    workComments: (workers: number, handler: LaneHandler) => workGroups("comment", workers, handler),
    /** Runs `handler` for each target of notifications, for one target never twice at the same time. */
    workNotifications: (workers: number, handler: (target: string) => Promise<void>) =>
      workGroups("notification", workers, handler),
    /** Whether no delivery, lane, comment or platform job waits or runs. Alarms that are not due and notifications do not count. */
    isIdle: async () => (await retryLost(() => boss.getDb().executeSql(OPEN_JOBS))).rows.length === 0,
    /** Whether jobs that are due are processed, by whichever process. */
    isMoving: async () => (await boss.getDb().executeSql(IS_STUCK)).rows.length === 0,
    /** Counts the open jobs of every queue, of all processes. */
    countJobs: () => countJobs(boss),
    /** Takes no more jobs and waits some seconds for those that run; deliveries are stored as before. */
    drain,
    /** Takes no more jobs, completes those that run or returns them to the queue for another process, and closes. */
    stop: async (): Promise<void> => {
      await drain();
      await boss.stop({ graceful: true, timeout: CLOSE_MS });
    },
  };
}

/** One waiting job per lane, and (with `groupConcurrency: 1`) one running. */
const buildLaneOptions = (lane: string) => ({ singletonKey: lane, group: { id: lane } });

/** One worker that takes a batch; each job of the batch succeeds or fails alone. */
async function startBatchWorker(
  boss: PgBoss,
  queue: Exclude<keyof typeof POLL_SECONDS, "lane" | "comment" | "notification">,
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

/** How long a process that ends completes its jobs, in ms. A job that takes longer is repeated by another process. */
const DRAIN_MS = 6_000;

/** The shortest time that pg-boss accepts, in ms. */
const CLOSE_MS = 1_000;

async function drainWorkers(boss: PgBoss): Promise<void> {
  const isDone = new AbortController();
  const late = sleep(DRAIN_MS, undefined, { signal: isDone.signal, ref: false }).catch(() => {});
  await Promise.race([Promise.all(QUEUE_NAMES.map((name) => boss.offWork(name))), late]);
  isDone.abort();
}

/**
 * Finds the origin of a lane's job that is enqueued now, merged with that of the waiting job, which the new one replaces. Empty
 * without telemetry; only with it the waiting job is read. Two processes that enqueue at the same moment may lose a link.
 */
async function findOrigin(
  boss: PgBoss,
  queue: "lane" | "comment",
  { lane, telemetry }: { readonly lane: string; readonly telemetry: Pick<Telemetry, "origin"> },
): Promise<{ readonly origin?: JobOrigin }> {
  const own = telemetry.origin();
  if (own === null) return {};
  const [waiting] = await retryLost(() => boss.findJobs(queue, { key: lane, queued: true }));
  const replaced = LaneJob.safeParse(waiting?.data).data?.origin;
  return { origin: replaced === undefined ? own : mergeOrigins(own, replaced) };
}

/**
 * A row when jobs are due for five minutes and none has ended in that time, in any process: then no worker works. A long queue is no
 * fault, as long as it moves.
 */
const IS_STUCK = `select 1
  where exists (select 1 from queue.job where name in ('delivery', 'lane', 'comment', 'platform') and state < 'active'
    and start_after < now() - interval '5 minutes')
  and not exists (select 1 from queue.job where name in ('delivery', 'lane', 'comment', 'platform')
    and completed_on > now() - interval '5 minutes')`;

/** The open jobs of a queue, of all processes. */
const QueueCount = z.object({
  name: z.string(),
  due: z.coerce.number(),
  /** Jobs that wait for a later time. */
  scheduled: z.coerce.number(),
  active: z.coerce.number(),
  /** How long the oldest due job waits, in seconds. */
  oldestDueSeconds: z.coerce.number(),
});
type QueueCount = Readonly<z.infer<typeof QueueCount>>;

const COUNTS = `select name,
    count(*) filter (where state < 'active' and start_after <= now()) as due,
    count(*) filter (where state < 'active' and start_after > now()) as scheduled,
    count(*) filter (where state = 'active') as active,
    coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0)
      as "oldestDueSeconds"
  from queue.job where state <= 'active' group by name`;

async function countJobs(boss: PgBoss): Promise<readonly QueueCount[]> {
  const counts = z.array(QueueCount).parse((await boss.getDb().executeSql(COUNTS)).rows);
  const none = { due: 0, scheduled: 0, active: 0, oldestDueSeconds: 0 };
  return QUEUE_NAMES.map((name) => counts.find((count) => count.name === name) ?? { name, ...none });
}

export interface EnqueueDeps {
  readonly db: Kysely<Tables>;
  readonly queue: Queue;
  readonly clock: Clock;
  /** Shortest time between two starts of a lane, in ms: fifty events in a second cost two evaluations, and the first starts at once. */
  readonly laneSpacingMs: number;
}

/** Triggers an evaluation in a lane. */
export async function enqueueLane(deps: EnqueueDeps, subject: LaneSubject): Promise<void> {
  const lane = formatLaneKey(subject);
  const last = await findLastEntry(deps.db, lane);
  const spacing = deps.laneSpacingMs;
  const since = last === null ? spacing : deps.clock.now() - last;
  await deps.queue.enqueue(lane, Math.max(0, Math.min(spacing, spacing - since)));
}

/** GitHub gives up a merge group after at most six hours; in ms. */
export const GROUP_MS = 7 * HOUR_MS;

/** Saves a merge group and triggers its evaluation. */
export async function enqueueMergeGroup(
  deps: EnqueueDeps,
  repositoryId: number,
  { headSha, headRef, baseRef }: Readonly<Record<"headSha" | "headRef" | "baseRef", string>>,
): Promise<void> {
  const row = { repository_id: repositoryId, head_sha: headSha, head_ref: headRef, base_ref: baseRef };
  await saveMergeGroup(deps.db, row, new Date(deps.clock.now()));
  await enqueueLane(deps, { kind: "group", repositoryId, headSha });
}

/** Triggers an evaluation of the merge group with this commit. False: there is none. */
export async function enqueueCommitGroup(
  deps: EnqueueDeps,
  repositoryId: number,
  headSha: string,
): Promise<boolean> {
  if ((await findMergeGroup(deps.db, repositoryId, headSha)) === undefined) return false;
  await enqueueLane(deps, { kind: "group", repositoryId, headSha });
  return true;
}

/** Triggers an evaluation of each merge group of a base branch. */
export async function enqueueMergeGroups(
  deps: EnqueueDeps,
  { repositoryId, baseRef }: { readonly repositoryId: number; readonly baseRef: string },
): Promise<void> {
  const after = new Date(deps.clock.now() - GROUP_MS);
  for (const { head_sha: headSha } of await listBaseMergeGroups(deps.db, repositoryId, { baseRef, after }))
    await enqueueLane(deps, { kind: "group", repositoryId, headSha });
}

type DeliveryAcceptance = "queued" | "duplicate";

interface QueuedDelivery {
  readonly id: string;
  readonly event: object;
}

/** Most deliveries in one batch, which is one statement. */
const BATCH = 200;

/**
 * Stores accepted deliveries. When the promise is fulfilled, the delivery survives the end of the process.
 * The id of a queued, running or completed delivery is a duplicate. A delivery that failed every attempt is
 * retried, because the operator requested its redelivery.
 */
export function createDeliveryInbox(
  boss: PgBoss,
): (id: string, event: object) => Promise<DeliveryAcceptance> {
  // A delivery that is written twice is stored once, so the write is repeated when a lost connection leaves its result unknown.
  const write = (items: readonly QueuedDelivery[]) =>
    retryLost(() => runUrgently(() => insertDeliveries(boss, items)));
  const put = createBatcher<QueuedDelivery, DeliveryAcceptance>(write, BATCH);
  // Text that no database stores, such as NUL, would make the statement fail for all.
  return async (id, event) => put({ id, event: copyUnstorable(event) });
}

async function insertDeliveries(
  boss: PgBoss,
  items: readonly QueuedDelivery[],
): Promise<readonly DeliveryAcceptance[]> {
  const fresh = new Map(items.map((item) => [item.id, item]));
  const jobs: JobInsert[] = [...fresh.values()].map(({ id, event }) => ({ id, data: event }));
  const inserted = new Set(await boss.insert("delivery", jobs, { returnId: true }));
  const known = [...fresh.keys()].filter((id) => !inserted.has(id));
  if (known.length > 0) await boss.retry("delivery", known); // moves failed ones only
  return items.map(({ id }) => (inserted.delete(id) ? "queued" : "duplicate"));
}

interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

/** Most iterations of the event loop in which a batch grows: the first item waits for few milliseconds at most. */
const MAX_ITERATIONS = 10;

/**
 * Collects calls into batches of at most `limit`: many callers share one statement and one commit. A batch grows while it waits for the one
 * before, and as long as each iteration of the event loop brings more.
 */
function createBatcher<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  limit: number,
): (item: Item) => Promise<Result> {
  const waiting: PendingItem<Item, Result>[] = [];
  let writing = false;

  async function collect(): Promise<void> {
    let known = -1;
    for (let turn = 0; turn < MAX_ITERATIONS && waiting.length > known; turn += 1) {
      known = waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function drain(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      // The embedded database blocks the event loop while it writes, so requests that arrived meanwhile are not read yet.
      if (waiting.length < limit) await collect();
      await settleBatch(waiting.splice(0, limit), write);
    }
    writing = false;
  }

  return (item) => {
    const done = Promise.withResolvers<Result>();
    waiting.push({ item, done });
    if (!writing) void drain();
    return done.promise;
  };
}

async function settleBatch<Item, Result>(
  batch: readonly PendingItem<Item, Result>[],
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await write(batch.map(({ item }) => item));
    for (const [index, { done }] of batch.entries()) {
      const result = results[index];
      if (result === undefined) throw new RangeError("a batch answered fewer results than it had items");
      done.resolve(result);
    }
  } catch (error) {
    for (const { done } of batch) done.reject(error);
  }
}
