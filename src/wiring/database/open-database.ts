import type { PlatformTables } from "../../platform-server/tables.ts";
import {
  type OnConnectionError,
  openStore,
  type Store,
  type StoreLocation,
  type StoreWatchers,
} from "../../store/open.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { schema } from "./schema.ts";

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
