import { sql } from "kysely";
import type { Store } from "./open.ts";

/**
 * What a PostgreSQL server does by itself and the embedded database does not: it has no autovacuum, so dead rows of the
 * queue would stay for ever and the planner would know nothing. Takes about 0.2 s after a busy day.
 */
export async function maintainStore(store: Store): Promise<void> {
  if (store.engine.kind === "pglite") await sql`vacuum (analyze)`.execute(store.db);
}
