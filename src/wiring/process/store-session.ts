import type { Logger } from "pino";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { createSteadyClock } from "../../queue/bounded-waits.ts";
import { createQueueInspection, type QueueInspection } from "../../queue/inspection.ts";
import { openBoss } from "../../queue/open.ts";
import { createQueue, type DrainableQueue, type Queue } from "../../queue/queue.ts";
import type { Settings } from "../../settings/read.ts";
import { findStoreFault } from "../../store/damage.ts";
import { watchSpace } from "../../store/directory/data-directory.ts";
import type { StoreLocation } from "../../store/open.ts";
import { NO_TELEMETRY, type Telemetry } from "../../telemetry/telemetry.ts";
import { type Database, openDatabase } from "../database/schema.ts";
import { openInSteps } from "../open-in-steps.ts";

export interface StoreSession {
  readonly store: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  /** Shortest time between the starts of two runs of a lane, in ms. */
  readonly laneSpacingMs: number;
  /** Why the database cannot be used now, permanently after damage was found; null: it can. */
  findFault(): Promise<string | null>;
  close(): Promise<void>;
}

/** The session of a process with a queue in a database, which an operator can inspect. */
export interface InspectedSession extends StoreSession {
  readonly queue: DrainableQueue;
  readonly inspection: QueueInspection;
}

/** Opens the store and starts the queue on it; closes everything on failure. */
export async function openSession(
  settings: Settings,
  log: Logger,
  clock: Clock = systemClock,
  telemetry: Telemetry = NO_TELEMETRY,
): Promise<InspectedSession> {
  return openInSteps(async (opening) => {
    const store = await openDatabase(
      getStoreLocation(settings),
      (error) => log.warn({ error }, "a database connection was lost"),
      {
        onDamage: (error) => log.error({ error }, "the database is damaged"),
        onQuery: (seconds) => telemetry.observe("tollgate_database_query_seconds", seconds, {}),
      },
    );
    opening.defer(store.close);
    opening.defer(watchDatabase(settings, log));
    const boss = await openBoss(store, log, {
      clock: createSteadyClock(systemClock),
      deliverySeconds: settings.operator.retention.deliveries / 1000,
    });
    const queue = createQueue(boss, clock, telemetry);
    opening.defer(queue.stop);
    return {
      store,
      queue,
      inspection: createQueueInspection(boss),
      clock,
      laneSpacingMs: settings.laneSpacingMs,
      findFault: () => findStoreFault(store),
      close: () => opening.disposeAsync(),
    };
  });
}

/**
 * Ends the process before the disk of the embedded database is full. The process ends at once, as by `kill
 * -9`, and loses no accepted delivery. An orderly stop would write to the disk, and the database may never
 * return from a failed write.
 */
function watchDatabase(settings: Settings, log: Logger): () => void {
  const location = getStoreLocation(settings);
  if (location.kind !== "directory") return () => {};
  return watchSpace(location.directory, (error) => {
    log.fatal({ error }, "the disk of the data directory is nearly full: Tollgate ends");
    process.exit(2);
  });
}

/** One of a process's connections receives notifications. */
const LISTENING = 1;
/** Most connections that the queue needs: its workers share them. */
const QUEUE_CONNECTIONS = 4;

/**
 * Returns the PostgreSQL of DATABASE_URL, or else the embedded database in the data directory. A process never has more than
 * `databaseConnections` connections: of those that are not used for notifications, the queue gets a third, at most four.
 */
export function getStoreLocation(settings: Settings): StoreLocation {
  const { databaseUrl, databaseListenUrl, databaseConnections, dataDirectory } = settings;
  if (databaseUrl === null) return { kind: "directory", directory: dataDirectory };
  const shared = databaseConnections - LISTENING;
  const queueConnections = Math.min(QUEUE_CONNECTIONS, Math.floor(shared / 3));
  return {
    kind: "postgres",
    url: databaseUrl,
    ...(databaseListenUrl !== undefined && { listenUrl: databaseListenUrl }),
    maxConnections: shared - queueConnections,
    queueConnections,
  };
}
