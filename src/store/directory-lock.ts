import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { TollgateError } from "../kernel/errors.ts";

/**
 * Takes a data directory for this process alone and returns the release. The embedded database takes no lock itself, and two
 * processes on one directory destroy each other's rows. The lock is the kernel's file lock, held through SQLite: it ends
 * with the process, also after `kill -9`.
 *
 * @throws TollgateError `data_directory_in_use`
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(directory, "lock.sqlite"), { timeout: 0 });
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    throw new TollgateError(
      "data_directory_in_use",
      `the data directory ${directory} is used by another Tollgate`,
      {
        cause,
        hint: "Stop the other one, set TOLLGATE_DATA to another directory, or set DATABASE_URL to share a PostgreSQL.",
      },
    );
  }
  return () => lock.close();
}
