import { type Clock, type Db, fromPglite, PgBoss } from "pg-boss";
import { TollgateError } from "../kernel/errors.ts";
import { type DamageWatch, toDamageError } from "../store/damage.ts";
import { refuseInsideTransaction } from "../store/database/transaction.ts";
import type { Store } from "../store/open.ts";
import type { DatabaseListener } from "../store/replicas/listener.ts";
import { SteadyClient } from "../store/server.ts";
import { createErrorLog } from "./error-log.ts";
import { QUEUES, type QueueName } from "./names.ts";
import { returnOrphans } from "./orphans.ts";

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
  const logError = createErrorLog(log, () => performance.now());
  boss.on("error", logError);
  if (store.engine.kind === "postgres") adaptPool(boss.getDb(), store.engine.listener, log);
  boss.on("warning", ({ message, data }) => log.warn({ warning: message, data }, "the queue warns"));
  try {
    await boss.start();
    await createUnfinishedIndex(boss);
    if (store.engine.kind === "postgres") watchServer(boss.getDb(), store.damage);
    // The other queues refer to the dead-letter queue, so it is created first. One that exists stays as it is.
    for (const name of [
      "dead",
      "delivery",
      "lane",
      "comment",
      "notification",
      "alarm",
      "platform",
    ] satisfies QueueName[]) {
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

/**
 * An index of pg-boss's table that pg-boss does not have: it finds the job of a lane among all that wait, and the few that are not
 * completed among those of a week. Behind 20,000 waiting jobs an event costs 4 ms of processor time with it and 16 ms without, and
 * `boundWaits` blocks the embedded database for 0.1 s instead of 0.3 s. Processes that start together create it one after the other.
 */
async function createUnfinishedIndex(boss: PgBoss): Promise<void> {
  await boss.getDb().executeSql(`do $$ begin
    perform pg_advisory_xact_lock(hashtextextended('tollgate queue index', 0));
    create index if not exists job_unfinished on queue.job_common (name, singleton_key) where state <= 'active';
  end $$`);
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
