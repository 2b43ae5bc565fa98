import { type Dirent, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { TollgateError } from "../../kernel/errors.ts";
import { toDirectoryError } from "./directory-error.ts";

/** Directory of the database's files. */
export const DATABASE = "pg";
/** Directory in which a new database is assembled before it is renamed. */
export const DRAFT = "pg.new";
/**
 * File that marks a directory with a database: without it, a lost database would look like a new directory.
 */
export const MARK = "pg.complete";
/** PostgreSQL's major version in the pinned PGlite. */
export const DATABASE_VERSION = "18";

/** Files that Tollgate itself creates in a data directory before there is a database. */
const BEFORE_DATABASE: ReadonlySet<string> = new Set([
  "lock.sqlite",
  "lock.sqlite-journal",
  DRAFT,
  "lost+found", // the file system creates it where a volume is mounted
]);
/** Files that exist only after Tollgate created a database. */
const AFTER_DATABASE: ReadonlySet<string> = new Set([MARK, "running.json"]);

/**
 * Without one of these files PostgreSQL fails to start, or initialises a new database among the files of the
 * old one.
 */
const PARTS: readonly string[] = [
  ...["PG_VERSION", "postgresql.conf", "global/pg_control"],
  ...["base", "pg_commit_ts", "pg_dynshmem", "pg_logical", "pg_multixact", "pg_notify", "pg_replslot"],
  ...["pg_serial", "pg_snapshots", "pg_stat", "pg_stat_tmp", "pg_subtrans", "pg_tblspc", "pg_twophase"],
  ...["pg_wal", "pg_xact"],
];

/**
 * `empty`: a database may be created there; the directory may be missing. `database`: all its parts exist.
 */
export type DirectoryContent = "empty" | "database";

/**
 * Classifies the content of a data directory. Changes nothing.
 *
 * @throws TollgateError `database_damaged`, `database_version`, `data_directory_unusable`
 */
export function inspectDirectory(directory: string): DirectoryContent {
  try {
    return inspectContent(directory);
  } catch (error) {
    throw toDirectoryError(directory, error);
  }
}

function inspectContent(directory: string): DirectoryContent {
  const found = listNames(directory);
  if (found.includes(DATABASE)) {
    requireParts(directory, found);
    return "database";
  }
  // No file of a database begins with a dot, so that `.env` and similar files are allowed.
  const others = found.filter((name) => !BEFORE_DATABASE.has(name) && !name.startsWith("."));
  if (others.length === 0) return "empty";
  if (others.some((name) => AFTER_DATABASE.has(name)))
    throw createIncompleteError(directory, [DATABASE], found);
  throw new TollgateError(
    "data_directory_unusable",
    `the data directory ${directory} holds no database, but other files: ${formatNames(others)}`,
    {
      hint: "Set TOLLGATE_DATA to Tollgate's directory, or to a new one: a database is begun in an empty directory only.",
    },
  );
}

/** Returns the names in a directory; empty when it is missing. */
function listNames(directory: string): readonly string[] {
  const there = lstatSync(directory, { throwIfNoEntry: false });
  if (there === undefined) return [];
  if (there.isSymbolicLink()) statSync(directory); // a broken symbolic link is not an empty directory
  return readdirSync(directory, { withFileTypes: true }).map(({ name }: Dirent) => name);
}

function requireParts(directory: string, found: readonly string[]): void {
  const database = join(directory, DATABASE);
  const missing = PARTS.filter(
    (part) => statSync(join(database, part), { throwIfNoEntry: false }) === undefined,
  ).map((part) => `${DATABASE}/${part}`);
  if (missing.length > 0) throw createIncompleteError(directory, missing, found);
  const version = readFileSync(join(database, "PG_VERSION"), "utf8").trim();
  if (version === DATABASE_VERSION) return;
  throw new TollgateError(
    "database_version",
    `${join(database, "PG_VERSION")} says ${JSON.stringify(version.slice(0, 20))}, and this Tollgate opens databases of version ${DATABASE_VERSION}`,
    {
      hint: "Start the Tollgate that made the directory, or restore the directory from a backup (docs/operations/backup.md). Nothing was changed.",
    },
  );
}

const createIncompleteError = (
  directory: string,
  missing: readonly string[],
  found: readonly string[],
): TollgateError =>
  new TollgateError(
    "database_damaged",
    `the database in ${directory} is not whole: it lacks ${formatNames(missing)}; it holds ${formatNames(found)}`,
    { hint: `Nothing was changed. ${RESTORE}` },
  );

/** The hint for every damage to the embedded database. */
export const RESTORE =
  "Restore the whole directory from a backup (docs/operations/backup.md), or set TOLLGATE_DATA to another directory to begin without what was recorded.";

const MAX_NAMES = 8;

function formatNames(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return `${[...names].sort().slice(0, MAX_NAMES).join(", ")}${more}`;
}
