import { sql } from "kysely";
import type { Store } from "./open.ts";

/**
 * Vacuums and analyses the embedded database, which has no autovacuum: without it, dead rows of the queue
 * would stay and the planner would have no statistics. Takes about 0.2 s after a busy day.
 */
export async function maintainStore(store: Store): Promise<void> {
  if (store.engine.kind === "pglite") await sql`vacuum (analyze)`.execute(store.db);
}
