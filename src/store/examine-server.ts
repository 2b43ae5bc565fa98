import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { requireServer } from "./database/server-error.ts";
import { SteadyClient } from "./steady-client.ts";

/** Time limit for a connection, in ms. */
const CONNECT_MS = 5_000;

/**
 * Connects to a PostgreSQL once, changes nothing, and returns what `read` reads there.
 *
 * @throws TollgateError `database_unusable`
 */
export async function examineServer<T>(url: string, read: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_MS,
    Client: SteadyClient,
  });
  pool.on("error", () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await requireServer(db, url);
    // Not an option of the connection: a proxy refuses those, or keeps them for the next client.
    return await db.transaction().setAccessMode("read only").execute(read);
  } finally {
    await db.destroy();
  }
}
