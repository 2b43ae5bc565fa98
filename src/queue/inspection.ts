import type { PgBoss } from "pg-boss";
import { z } from "zod";

/** What an operator sees of stored jobs; nothing here changes one, except `retryDelivery`. */
export interface QueueInspection {
  /** The newest deliveries, newest first. */
  listDeliveries(limit: number): Promise<readonly StoredDelivery[]>;
  /** Jobs that failed every attempt, newest first. */
  listFailedJobs(limit: number): Promise<readonly FailedJob[]>;
  /** Runs a delivery again that failed every attempt; another one stays as it is. */
  retryDelivery(id: string): Promise<void>;
}

const Failure = z.object({ message: z.string(), code: z.string().nullish() });
const Problem = z.unknown().transform((output) => Failure.safeParse(output).data?.message ?? null);

/** A delivery as the queue stores it. `retry`: an attempt failed, and another one follows. */
const StoredDelivery = z.object({
  id: z.string(),
  data: z.unknown(),
  state: z.enum(["created", "retry", "active", "completed", "cancelled", "failed"]),
  receivedAt: z.date(),
  endedAt: z.date().nullable(),
  /** Message of the newest failure; null: none. */
  problem: Problem,
});
export type StoredDelivery = Readonly<z.infer<typeof StoredDelivery>>;

const FailedJob = z.object({
  /** Null: not known. */
  queue: z.string().nullable(),
  /** The lane of the job; null: it has none. */
  lane: z.string().nullable(),
  failedAt: z.date(),
  problem: Problem,
});
export type FailedJob = Readonly<z.infer<typeof FailedJob>>;

const DELIVERIES = `select id::text as id, data, state::text as state, created_on as "receivedAt", completed_on as "endedAt",
    output as problem
  from queue.job where name = 'delivery' order by created_on desc limit $1`;

const FAILED = `select source_name as queue, data ->> 'lane' as lane, created_on as "failedAt", source_output as problem
  from queue.job where name = 'dead' order by created_on desc limit $1`;

export const createQueueInspection = (boss: PgBoss): QueueInspection => ({
  listDeliveries: async (limit) => {
    const { rows } = await boss.getDb().executeSql(DELIVERIES, [limit]);
    return z.array(StoredDelivery).parse(rows);
  },
  listFailedJobs: async (limit) => {
    const { rows } = await boss.getDb().executeSql(FAILED, [limit]);
    return z.array(FailedJob).parse(rows);
  },
  retryDelivery: async (id) => {
    await boss.retry("delivery", [id]);
  },
});
