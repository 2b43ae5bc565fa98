import type { Job, JobResult, PgBoss } from "pg-boss";
import { z } from "zod";
import { TollgateError } from "../kernel/errors.ts";
import { redactCredentials } from "../kernel/redact-credentials.ts";
import { toStorableText } from "../kernel/storable.ts";
import { findDatabaseFault } from "../store/database/faults.ts";
import { isConnectionLost } from "../store/database/lost-connection.ts";
import { OWN_RETRIES } from "./names.ts";

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

/** What an operator sees of stored jobs; nothing here changes one, except `retryDelivery`. */
export type QueueInspection = ReturnType<typeof createQueueInspection>;

export const createQueueInspection = (boss: PgBoss) => ({
  /** The newest deliveries, newest first. */
  listDeliveries: async (limit: number): Promise<readonly StoredDelivery[]> =>
    z.array(StoredDelivery).parse((await boss.getDb().executeSql(DELIVERIES, [limit])).rows),
  /** Jobs that failed every attempt, newest first. */
  listFailedJobs: async (limit: number): Promise<readonly FailedJob[]> =>
    z.array(FailedJob).parse((await boss.getDb().executeSql(FAILED, [limit])).rows),
  /** Runs a delivery again that failed every attempt; another one stays as it is. */
  retryDelivery: async (id: string): Promise<void> => {
    await boss.retry("delivery", [id]);
  },
});

/**
 * The result of a job that failed, as it is stored: message and code. pg-boss would store every member of the error, and libraries attach
 * requests with their credentials. A text that no database stores would leave the job unfinished.
 *
 * An outage of GitHub or the database ends by itself, so the job is retried as often as its queue allows; any other failure ends the job
 * after `OWN_RETRIES`.
 */
export function toFailedResult(
  { id, retryCount }: Pick<Job, "id" | "retryCount">,
  error: unknown,
): JobResult {
  const message = toStorableText(redactCredentials(error instanceof Error ? error.message : String(error)));
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return {
    id,
    status: retryCount >= OWN_RETRIES && !isOutage(error) ? "deadletter" : "failed",
    output: { message, ...(typeof code === "string" && { code: toStorableText(code) }) },
  };
}

const isOutage = (error: unknown): boolean =>
  (error instanceof TollgateError && error.retryable) ||
  isConnectionLost(error) ||
  findDatabaseFault(error) !== null;
