import { readFileSync } from "node:fs";
import { getCodeFile } from "../../package/shipped-files.ts";
import type { PlatformTables } from "../../platform-server/tables/tables.ts";
import { platformTables } from "../../platform-server/tables/tables.ts";
import { FIRST_MIGRATION } from "../../store/migrate.ts";
import type { DatabaseSchema } from "../../store/open.ts";
import {
  type OnConnectionError,
  openStore,
  type Store,
  type StoreLocation,
  type StoreWatchers,
} from "../../store/open.ts";
import { listCreateStatements } from "../../store/tables/define-table.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { botTables } from "../../store/tables/tables.ts";

/**
 * Path of the database that `npm run generate` created with the pinned version of PGlite. Starting from it
 * saves one second and half a gigabyte of memory.
 */
export const PREPARED_DATABASE = getCodeFile("wiring/database/empty-database.tar.gz");

/** The schema of a Tollgate database: the tables of the bot and of the embedded platform. */
export const schema: DatabaseSchema = {
  migrations: {
    [FIRST_MIGRATION]: listCreateStatements({ ...botTables, ...platformTables }),
  },
  preparedDatabase: () => readFileSync(PREPARED_DATABASE),
};

/** The database of the bot and of the embedded platform. */
export type Database = Store<Tables & PlatformTables>;

/**
 * Opens the database and migrates the tables of the bot and of the embedded platform.
 *
 * @throws TollgateError as `openStore`
 */
export async function openDatabase(
  location: StoreLocation,
  onConnectionError: OnConnectionError,
  watchers?: StoreWatchers,
): Promise<Database> {
  const store = await openStore(location, schema, onConnectionError, watchers);
  return { ...store, db: store.db.$extendTables<PlatformTables>() };
}
