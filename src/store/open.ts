import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, PostgresDialect } from "kysely";
import pg from "pg";
import { checkDecisions } from "./audit/chain.ts";
import { createDamageWatch, type DamageWatch, type OnDamage } from "./damage.ts";
import { type QueryWatch, watchDialect } from "./database/dialect.ts";
import { requireServer, toServerError } from "./database/server-error.ts";
import { PatientClient, SteadyClient } from "./database/steady-client.ts";
import { oneConnectionPlugin } from "./database/transaction.ts";
import {
  beginDatabase,
  DATABASE,
  inspectDirectory,
  markDatabase,
  requireSpace,
  toStartError,
} from "./directory/data-directory.ts";
import { type DirectoryLock, lockDirectory } from "./directory/lock.ts";
import { openLite, PARSERS, parseInteger, START_PARAMS } from "./embedded.ts";
import { type MigrationList, migrateDatabase } from "./migrate.ts";
import { createDatabaseListener, type DatabaseListener } from "./replicas/listener.ts";
import type { Tables } from "./tables/tables.ts";

/** Where the state is stored: a local directory, the memory of this process, or a shared PostgreSQL. */
export type StoreLocation =
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "memory" }
  | {
      readonly kind: "postgres";
      readonly url: string;
      /** Where notifications are received; absent: `url`. */
      readonly listenUrl?: string;
      /** Most connections of the store; default: 10. */
      readonly maxConnections?: number;
      /** Most connections of the queue; default: 4. */
      readonly queueConnections?: number;
    };

export type Engine =
  | { readonly kind: "pglite"; readonly lite: PGlite }
  | {
      readonly kind: "postgres";
      readonly url: string;
      /** Receives notifications, with one more connection once something is listened to. */
      readonly listener: DatabaseListener;
      readonly queueConnections: number;
    };

/** `DB`: the known tables; default: the bot's own. */
export interface Store<DB = Tables> {
  readonly db: Kysely<DB>;
  readonly engine: Engine;
  /** Queries that do not go through `db` must be guarded with it too. */
  readonly damage: DamageWatch;
  close(): Promise<void>;
}

/** The schema of a database: the bot's own tables, and those of the embedded platform. */
export interface DatabaseSchema {
  readonly migrations: MigrationList;
  /** An empty database in which all migrations were executed, as a gzipped tar. An older one is migrated. */
  preparedDatabase(): Buffer<ArrayBuffer>;
}

/** Called when a connection ends unexpectedly, whether or not a query is running. */
export type OnConnectionError = (error: Error) => void;

export interface StoreWatchers {
  readonly onDamage?: OnDamage;
  readonly onQuery?: QueryWatch["onQuery"];
}

/**
 * Opens the store, checks its content, and migrates its tables. Embedded database and PostgreSQL behave
 * alike, types included.
 *
 * @throws TollgateError `data_directory_in_use`, `data_directory_unusable`, `database_damaged`,
 * `database_version`, `database_unusable`, `migration_failed`
 */
export async function openStore(
  location: StoreLocation,
  schema: DatabaseSchema,
  onConnectionError: OnConnectionError,
  { onDamage = () => {}, onQuery }: StoreWatchers = {},
): Promise<Store> {
  const damage = createDamageWatch(onDamage, location.kind === "postgres");
  const opened =
    location.kind === "postgres"
      ? openPostgres(location, onConnectionError, { damage, onQuery })
      : await openEmbedded(location, schema, { damage, onQuery });
  const store: Store = { ...opened, db: opened.db.withPlugin(oneConnectionPlugin) };
  try {
    if (location.kind === "postgres") {
      await requireServer(opened.db, location.url);
      await migrateServer(location, schema.migrations);
    } else await migrateDatabase(opened.db, schema.migrations);
    await checkDecisions(opened.db);
    return store;
  } catch (error) {
    await store.close();
    throw location.kind === "postgres" ? toServerError(location.url, error) : error;
  }
}

async function openEmbedded(
  location: Exclude<StoreLocation, { kind: "postgres" }>,
  schema: DatabaseSchema,
  watch: QueryWatch,
): Promise<Store> {
  const lock = location.kind === "directory" ? claimDirectory(location.directory) : null;
  let lite: PGlite | undefined;
  try {
    const opened =
      location.kind === "directory"
        ? await openFiles(location.directory, schema)
        : await openInMemory(schema);
    lite = opened;
    lock?.markUsed();
    const db = new Kysely<Tables>({ dialect: watchDialect(new PGliteDialect({ pglite: opened }), watch) });
    return {
      db,
      engine: { kind: "pglite", lite: opened },
      damage: watch.damage,
      close: async () => {
        if (!opened.closed) await opened.close(); // without `db.destroy()`, after which Kysely's own errors have no code
        lock?.release();
      },
    };
  } catch (error) {
    await lite?.close().catch(() => {}); // the first error says more
    lock?.release();
    throw error;
  }
}

/** Locks the directory for this process. A directory with other content is refused before any file is written. */
function claimDirectory(directory: string): DirectoryLock {
  inspectDirectory(directory);
  return lockDirectory(directory);
}

/** Migrates over a connection of its own, on which a statement may take any time. */
async function migrateServer({ url }: PostgresLocation, migrations: MigrationList): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, Client: PatientClient });
  pool.on("error", () => {}); // a statement on it fails
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrateDatabase(db, migrations);
  } finally {
    await db.destroy();
  }
}

type PostgresLocation = Extract<StoreLocation, { kind: "postgres" }>;

/** Number of PostgreSQL's log lines that are kept in memory: it logs as long as it runs. */
const MAX_LOG_LINES = 20;
const LITE_OPTIONS = { parsers: PARSERS, startParams: [...START_PARAMS] };

const openInMemory = (schema: DatabaseSchema): Promise<PGlite> =>
  openLite({
    ...LITE_OPTIONS,
    loadDataDir: new Blob([schema.preparedDatabase()], { type: "application/x-gzip" }),
  });

/** Opens the database of a locked directory; creates it in an empty one. */
async function openFiles(directory: string, schema: DatabaseSchema): Promise<PGlite> {
  requireSpace(directory);
  if (inspectDirectory(directory) === "empty") await beginDatabase(directory, schema.preparedDatabase());
  else await markDatabase(directory); // a process may have ended between the two steps, or a copy may lack the mark
  const stderrLines: string[] = [];
  const onStderr = (line: string): boolean =>
    stderrLines.push(line) > MAX_LOG_LINES && stderrLines.shift() !== undefined;
  try {
    return await openLite({ ...LITE_OPTIONS, dataDir: join(directory, DATABASE), onStderr });
  } catch (cause) {
    throw toStartError(directory, stderrLines, cause);
  }
}

function openPostgres(location: PostgresLocation, onError: OnConnectionError, watch: QueryWatch): Store {
  const pool = new pg.Pool({
    connectionString: location.url,
    max: location.maxConnections ?? 10,
    Client: SteadyClient,
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        // The types of pg have one overload per format and none for a format that may be either.
        oid === pg.types.builtins.INT8 ? parseInteger : pg.types.getTypeParser(oid, format as "text"),
    },
  });
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", () => {}); // the pool reports the error of an idle connection a second time
  const db = new Kysely<Tables>({ dialect: watchDialect(new PostgresDialect({ pool }), watch) });
  const { url, listenUrl = url, queueConnections = 4 } = location;
  const listener = createDatabaseListener({ url: listenUrl, onError });
  return {
    db,
    engine: { kind: "postgres", url, listener, queueConnections },
    damage: watch.damage,
    close: async () => {
      await listener.close();
      await db.destroy();
    },
  };
}
