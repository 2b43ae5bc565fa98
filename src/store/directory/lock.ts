import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { TollgateError } from "../../kernel/errors.ts";
import { LOCK, toDirectoryError } from "./data-directory.ts";

export interface DirectoryLock {
  /** Records in the lock's file that the directory has a database: when the file is all that is left, the database was lost. */
  markUsed(): void;
  release(): void;
}

/**
 * Locks a data directory for this process. The embedded database takes no lock, and
 * two processes in one directory would destroy each other's rows. The lock is the kernel's file lock, taken
 * through SQLite: it ends with the process, also after `kill -9`. The content of the lock file does not
 * lock, so that a lock is never stale.
 *
 * @throws TollgateError `data_directory_in_use`, `data_directory_unusable`
 */
export function lockDirectory(directory: string): DirectoryLock {
  makeDirectory(directory);
  const path = join(directory, LOCK);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close();
    throw isLocked(cause) ? createInUseError(directory, cause) : createLockError(path, cause);
  }
  const held = lock;
  return {
    markUsed: () => {
      try {
        held.exec("PRAGMA user_version = 1; COMMIT"); // the file stays locked
      } catch (cause) {
        throw createLockError(path, cause);
      }
    },
    release: () => held.close(),
  };
}

function makeDirectory(directory: string): void {
  try {
    makeLeafDirectory(directory);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw toDirectoryError(directory, cause);
  }
}

/**
 * Creates the directory without `recursive` first, where its parent exists: with `recursive`, a read-only
 * file system fails with ENOENT.
 */
function makeLeafDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOENT" && code !== "EEXIST") throw error;
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED; the lowest byte of an error code is its kind. */
const LOCKED_CODES: readonly number[] = [5, 6];

const isLocked = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && LOCKED_CODES.includes(Number(error.errcode) & 0xff);

const createInUseError = (directory: string, cause: unknown): TollgateError =>
  new TollgateError("data_directory_in_use", `the data directory ${directory} is used by another Tollgate`, {
    cause,
    hint: "Stop the other one, set TOLLGATE_DATA to another directory, or set DATABASE_URL to share a PostgreSQL.",
  });

const createLockError = (path: string, cause: unknown): TollgateError =>
  new TollgateError(
    "data_directory_unusable",
    `the lock file ${path} cannot be used: ${cause instanceof Error ? cause.message : "unknown error"}`,
    {
      cause,
      hint: "It must be a file of this account, on a disk that can be written and knows file locks. If it is damaged and no Tollgate runs on the directory, remove it: it holds no data.",
    },
  );
