import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { type Clock, type Db, fromPglite, PgBoss } from "pg-boss";
import { MINUTE_MS } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import { type DamageWatch, toDamageError } from "../store/damage.ts";
import { findDatabaseFault } from "../store/database/faults.ts";
import { SteadyClient } from "../store/database/steady-client.ts";
import { refuseInsideTransaction } from "../store/database/transaction.ts";
import type { Store } from "../store/open.ts";
import type { DatabaseListener } from "../store/replicas/listener.ts";
import { QUEUE_NAMES, QUEUES } from "./names.ts";

/** The queue's log. It contains no job data. */
export interface QueueLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Never the id of a job. Reading it fills pg-boss's cache; without the cache, the first send inside an embedded transaction never ends. */
const NO_JOB_ID = "00000000-0000-0000-0000-000000000000";

export interface QueueOptions {
  /** Times the queue's own pauses; default: the machine's clock. */
  readonly clock?: Clock;
  /** How long a processed delivery is kept, in seconds; default: a week. */
  readonly deliverySeconds?: number;
}

/**
 * Starts the queue on the store's database: the same PGlite instance, or a small pool of its own on PostgreSQL.
 *
 * @throws TollgateError `queue_failed`, `database_damaged`
 */
export async function openBoss(
  store: Store,
  log: QueueLog,
  { clock, deliverySeconds = QUEUES.delivery.deleteAfterSeconds }: QueueOptions = {},
): Promise<PgBoss> {
  const boss = new PgBoss({
    schema: "queue",
    useListenNotify: true,
    ...(clock !== undefined && { clock }),
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    ...(store.engine.kind === "pglite"
      ? {
          db: guardDb(fromPglite(store.engine.lite), store.damage),
          backend: "pglite" as const,
          monitorVacuum: false,
        }
      : { connectionString: store.engine.url, max: store.engine.queueConnections, Client: SteadyClient }),
  });
  boss.on("error", createErrorLog(log));
  if (store.engine.kind === "postgres") adaptPool(boss.getDb(), store.engine.listener, log);
  boss.on("warning", ({ message, data }) => log.warn({ warning: message, data }, "the queue warns"));
  try {
    await boss.start();
    if (store.engine.kind === "postgres") watchServer(boss.getDb(), store.damage);
    for (const name of QUEUE_NAMES) {
      await boss.createQueue(name, QUEUES[name]);
      await boss.findJobs(name, { id: NO_JOB_ID });
    }
    await boss.updateQueue("delivery", { deleteAfterSeconds: deliverySeconds });
    if (store.engine.kind === "pglite") await returnOrphans(store, boss);
    return boss;
  } catch (cause) {
    await boss.stop({ graceful: false }).catch(() => {});
    const damage = toDamageError(cause);
    if (damage instanceof TollgateError) throw damage;
    throw new TollgateError("queue_failed", "the queue could not be started", { cause, retryable: true });
  }
}

/** Lets the queue listen on the connection that receives all notifications; without one it polls. */
function adaptPool(db: Db, listener: DatabaseListener, log: QueueLog): void {
  db.listen = async (...subscription) => {
    try {
      return await listener.listen(...subscription);
    } catch (error) {
      log.warn({ error }, "PostgreSQL does not announce new jobs: the queue asks for them every half second");
      throw error;
    }
  };
}

/** The queue has a pool of its own on PostgreSQL, and pg-boss has no other place to see its failures. */
function watchServer(db: Db, damage: DamageWatch): void {
  const execute = db.executeSql.bind(db);
  db.executeSql = (text, values) => damage.guard(() => execute(text, values));
}

function guardDb(db: Db, damage: DamageWatch): Db {
  return {
    ...db,
    executeSql: (text, values) => {
      refuseInsideTransaction();
      return damage.guard(() => db.executeSql(text, values));
    },
  };
}

/** How often the same error is logged, in ms: each worker reports it at each poll, which is twenty times a second. */
const EVERY_MS = MINUTE_MS;

/** Returns a function that logs the queue's errors, each once a minute. */
export function createErrorLog(
  log: Pick<QueueLog, "error">,
  perf: { now(): number } = performance,
): (error: unknown) => void {
  const recent = new LRUCache<string, true>({ max: 100, ttl: EVERY_MS, ttlResolution: 0, perf });
  return (error) => {
    const name = nameError(error);
    if (recent.has(name)) return;
    recent.set(name, true);
    const fault = findDatabaseFault(error);
    if (fault === null) log.error({ error }, "the queue reports an error");
    else log.error({ error, hint: fault.hint }, `the queue waits for the database: ${fault.found}`);
  };
}

/** What pg-boss appends to the message of an error: the worker that met it. */
const WORKER = / \(Queue: .*\)$/;

/** pg-boss emits errors, and copies of them that are no errors any more. */
function nameError(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const code = "code" in error ? String(error.code) : "";
  const message = "message" in error ? String(error.message).replace(WORKER, "") : "";
  return `${code} ${message}`;
}

/** A job is given up when its process ended this many times in a row: with the pauses below, after about a day. */
const MOST_ENDS = 300;
/** From this many ends on, the pause doubles from one second. */
const HARMLESS_ENDS = 8;
/** In seconds. */
const LONGEST_PAUSE = 300;

/** How often the job's process ended while it ran, since its newest failure. */
const ENDS = sql`(coalesce((output ->> 'ends')::int, 0) + 1)`;
const MESSAGE = "the process ended while it ran";

/**
 * Returns active jobs to the queue. On the embedded database no other process has jobs, so an active job belonged to a process that ended.
 * That is seldom the fault of the job, so it is no failed attempt, and the job runs again after a second. A job whose process ends each
 * time may be the cause: its pauses grow, so that other jobs are done meanwhile, and it is given up in the end.
 */
async function returnOrphans(store: Store, boss: PgBoss): Promise<void> {
  // A job without `started_on` is taken without counting an attempt.
  await sql`update queue.job set state = 'retry', started_on = null, heartbeat_on = null,
      output = jsonb_build_object('message', ${MESSAGE}::text, 'ends', ${ENDS}),
      start_after = now() + least(${LONGEST_PAUSE}, 2 ^ greatest(0, ${ENDS} - ${HARMLESS_ENDS})) * interval '1 second'
    where state = 'active' and ${ENDS} < ${MOST_ENDS}`.execute(store.db);
  const { rows } = await sql<{ name: string; id: string }>`
    update queue.job set retry_count = retry_limit where state = 'active' returning name, id`.execute(
    store.db,
  );
  for (const { name, id } of rows) await boss.fail(name, id, { message: MESSAGE });
}
