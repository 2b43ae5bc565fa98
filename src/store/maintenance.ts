import { sql } from "kysely";
import type { Store } from "./open.ts";

/**
 * Vacuums and analyses the embedded database, which has no autovacuum: without it, dead rows of the queue
 * would stay and the planner would have no statistics. Takes about 0.2 s after a busy day.
 */
export async function maintainStore(store: Store): Promise<void> {
  if (store.engine.kind === "pglite") await sql`vacuum (analyze)`.execute(store.db);
}

/** Key of the advisory lock; any number that nothing else on the database uses. */
const ALONE = 7_655_283;

/**
 * Runs `work` while no other process of the database runs it; false: another one does. The embedded database has one process. A lock of
 * PostgreSQL ends with its connection, so a killed process leaves none.
 */
export async function runAlone(store: Store, work: () => Promise<void>): Promise<boolean> {
  if (store.engine.kind === "pglite") {
    await work();
    return true;
  }
  return store.db.connection().execute(async (connection) => {
    const { rows } = await sql<{
      is_mine: boolean;
    }>`select pg_try_advisory_lock(${ALONE}) as is_mine`.execute(connection);
    if (rows[0]?.is_mine !== true) return false;
    try {
      await work();
      return true;
    } finally {
      await sql`select pg_advisory_unlock(${ALONE})`.execute(connection);
    }
  });
}
