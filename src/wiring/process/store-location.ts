import type { Settings } from "../../settings/settings.ts";
import type { StoreLocation } from "../../store/open.ts";

/** Returns the PostgreSQL of DATABASE_URL, or else the embedded database in the data directory. */
export const getStoreLocation = ({ databaseUrl, dataDirectory }: Settings): StoreLocation =>
  databaseUrl === null
    ? { kind: "directory", directory: dataDirectory }
    : { kind: "postgres", url: databaseUrl };
