import type { Settings } from "../../settings/settings.ts";
import type { StoreLocation } from "../../store/open.ts";

const CONNECTIONS = 15;
/** One of a process's connections receives notifications. */
const LISTENING = 1;
/** Most connections that the queue needs: its workers share them. */
const QUEUE_CONNECTIONS = 4;

/**
 * Returns the PostgreSQL of DATABASE_URL, or else the embedded database in the data directory. A process never has more than
 * `databaseConnections` connections: of those that are not used for notifications, the queue gets a third, at most four.
 */
export function getStoreLocation(settings: Settings): StoreLocation {
  const { databaseUrl, databaseListenUrl, databaseConnections = CONNECTIONS, dataDirectory } = settings;
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
