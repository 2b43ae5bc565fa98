import { join } from "node:path";
import { PGlite, types as pgliteTypes } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, PostgresDialect } from "kysely";
import pg from "pg";
import { lockDirectory } from "./directory-lock.ts";
import { migrate } from "./migrate.ts";
import { oneConnectionPlugin } from "./one-connection.ts";
import type { Tables } from "./tables.ts";

/** Where the state lives: a directory of this machine, the memory of this process, or a PostgreSQL shared by several. */
export type StoreLocation =
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "memory"; readonly image?: Blob }
  | { readonly kind: "postgres"; readonly url: string; readonly maxConnections?: number };

export type Engine =
  | { readonly kind: "pglite"; readonly lite: PGlite }
  | { readonly kind: "postgres"; readonly url: string };

export interface Store {
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
  close(): Promise<void>;
}

/** Called with failures of idle connections, which belong to no query. */
export type OnConnectionError = (error: Error) => void;

/**
 * Opens the store and brings its tables up to date. Embedded and PostgreSQL behave alike, types included.
 *
 * @throws TollgateError `data_directory_in_use`, `migration_failed`
 */
export async function openStore(
  location: StoreLocation,
  onConnectionError: OnConnectionError,
): Promise<Store> {
  const opened =
    location.kind === "postgres" ? openPostgres(location, onConnectionError) : await openEmbedded(location);
  const store: Store = { ...opened, db: opened.db.withPlugin(oneConnectionPlugin) };
  try {
    await migrate(opened.db);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openEmbedded(location: Exclude<StoreLocation, { kind: "postgres" }>): Promise<Store> {
  const unlock = location.kind === "directory" ? lockDirectory(location.directory) : () => {};
  try {
    const lite = await PGlite.create({
      ...(location.kind === "directory" ? { dataDir: join(location.directory, "pg") } : {}),
      ...(location.kind === "memory" && location.image ? { loadDataDir: location.image } : {}),
      parsers: { [pgliteTypes.INT8]: asInteger },
      startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=32MB", "-c", "max_wal_size=64MB"],
    });
    const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: lite }) });
    return {
      db,
      engine: { kind: "pglite", lite },
      close: async () => {
        await db.destroy();
        if (!lite.closed) await lite.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function openPostgres(
  location: Extract<StoreLocation, { kind: "postgres" }>,
  onError: OnConnectionError,
): Store {
  const pool = new pg.Pool({
    connectionString: location.url,
    max: location.maxConnections ?? 10,
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        // pg's own signature has one overload per format and takes none that may be either.
        oid === pg.types.builtins.INT8 ? asInteger : pg.types.getTypeParser(oid, format as "text"),
    },
  });
  pool.on("error", onError);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, engine: { kind: "postgres", url: location.url }, close: () => db.destroy() };
}

/** int8 as a number on both engines; GitHub's ids and our counters stay far below 2^53. */
function asInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`an integer from the database is too large: ${text}`);
  return value;
}
