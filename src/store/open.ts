import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import pg from "pg";
import { lockDirectory } from "./directory-lock.ts";
import { databasePlace, emptyDatabase } from "./empty-database.ts";
import { asInteger, PARSERS, START_PARAMS } from "./engine-options.ts";
import { migrate } from "./migrate.ts";
import { oneConnectionPlugin } from "./one-connection.ts";
import { ServerDialect } from "./server-dialect.ts";
import { SteadyClient } from "./steady-client.ts";
import type { Tables } from "./tables.ts";

/** Where the state lives: a directory of this machine, the memory of this process, or a PostgreSQL shared by several. */
export type StoreLocation =
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "memory" }
  | { readonly kind: "postgres"; readonly url: string; readonly maxConnections?: number };

export type Engine =
  | { readonly kind: "pglite"; readonly lite: PGlite }
  | { readonly kind: "postgres"; readonly url: string };

export interface Store {
  readonly db: Kysely<Tables>;
  readonly engine: Engine;
  close(): Promise<void>;
}

/** Called when a connection ends by itself, whether a query waits for its answer or not. */
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
    const lite = await openLite(location);
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

async function openLite(location: Exclude<StoreLocation, { kind: "postgres" }>): Promise<PGlite> {
  const options = { parsers: PARSERS, startParams: [...START_PARAMS] };
  if (location.kind === "memory") return PGlite.create({ ...options, loadDataDir: emptyDatabase() });
  const { path, image, settled } = databasePlace(location.directory);
  const filling = image === undefined ? {} : { loadDataDir: image };
  const lite = await PGlite.create({ ...options, ...filling, dataDir: path });
  settled();
  return lite;
}

function openPostgres(
  location: Extract<StoreLocation, { kind: "postgres" }>,
  onError: OnConnectionError,
): Store {
  const pool = new pg.Pool({
    connectionString: location.url,
    max: location.maxConnections ?? 10,
    keepAlive: true,
    Client: SteadyClient,
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        // pg's own signature has one overload per format and takes none that may be either.
        oid === pg.types.builtins.INT8 ? asInteger : pg.types.getTypeParser(oid, format as "text"),
    },
  });
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", () => {}); // the same of an idle connection, once more
  const db = new Kysely<Tables>({ dialect: new ServerDialect({ pool }) });
  return { db, engine: { kind: "postgres", url: location.url }, close: () => db.destroy() };
}
