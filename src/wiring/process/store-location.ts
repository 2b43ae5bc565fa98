import type { Settings } from "../../settings/settings.ts";
import type { StoreLocation } from "../../store/open.ts";

/** The PostgreSQL of DATABASE_URL, else the embedded database in the data directory. */
export const storeLocation = ({ databaseUrl, dataDirectory }: Settings): StoreLocation =>
  databaseUrl === null
    ? { kind: "directory", directory: dataDirectory }
    : { kind: "postgres", url: databaseUrl };
