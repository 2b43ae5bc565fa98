import { type Dirent, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { TollgateError } from "../../kernel/errors.ts";
import { toDirectoryError } from "./directory-error.ts";

/** The database's files. */
export const DATABASE = "pg";
/** Where a new database is put together before it is given its name. */
export const DRAFT = "pg.new";
/** Says that a database was begun here: without it, a database that is lost would look like one that never was. */
export const MARK = "pg.complete";
/** PostgreSQL's major version inside the pinned PGlite. */
export const DATABASE_VERSION = "18";

/** What Tollgate itself puts into a data directory before there is a database. */
const BEFORE_DATABASE: ReadonlySet<string> = new Set([
  "lock.sqlite",
  "lock.sqlite-journal",
  DRAFT,
  "lost+found", // of the file system, where a volume is mounted
]);
/** What only a Tollgate with a database leaves. */
const AFTER_DATABASE: ReadonlySet<string> = new Set([MARK, "running.json"]);

/** Without one of these PostgreSQL ends, or begins a new database among the files of the old one. */
const PARTS: readonly string[] = [
  ...["PG_VERSION", "postgresql.conf", "global/pg_control"],
  ...["base", "pg_commit_ts", "pg_dynshmem", "pg_logical", "pg_multixact", "pg_notify", "pg_replslot"],
  ...["pg_serial", "pg_snapshots", "pg_stat", "pg_stat_tmp", "pg_subtrans", "pg_tblspc", "pg_twophase"],
  ...["pg_wal", "pg_xact"],
];

/** `empty`: a database may be begun there; the directory may be missing. `database`: all its parts are there. */
export type DirectoryContent = "empty" | "database";

/**
 * What a data directory holds. Changes nothing.
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
  // No file of a database begins with a dot, so `.env` and the like may be there.
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

/** The names in a directory; none when it is missing. */
function listNames(directory: string): readonly string[] {
  const there = lstatSync(directory, { throwIfNoEntry: false });
  if (there === undefined) return [];
  if (there.isSymbolicLink()) statSync(directory); // a link that leads nowhere is no empty directory
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
      hint: "Start the Tollgate that made the directory, or restore the directory from a backup (docs/backup.md). Nothing was changed.",
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

/** The way out of every damage to the embedded database. */
export const RESTORE =
  "Restore the whole directory from a backup (docs/backup.md), or set TOLLGATE_DATA to another directory to begin without what was recorded.";

const MAX_NAMES = 8;

function formatNames(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return `${[...names].sort().slice(0, MAX_NAMES).join(", ")}${more}`;
}
