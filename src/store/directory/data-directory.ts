import {
  accessSync,
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { TollgateError } from "../../kernel/errors.ts";

/** Directory of the database's files. */
export const DATABASE = "pg";
/** Directory in which a new database is assembled before it is renamed. */
const DRAFT = "pg.new";
/** File that marks a directory with a database: without it, a lost database would look like a new directory. */
const MARK = "pg.complete";
/** PostgreSQL's major version in the pinned PGlite. */
const DATABASE_VERSION = "18";

/** File of the lock; empty until there is a database. */
export const LOCK = "lock.sqlite";

/** Files that Tollgate itself creates in a data directory before there is a database. */
const BEFORE_DATABASE: ReadonlySet<string> = new Set([
  LOCK,
  `${LOCK}-journal`,
  DRAFT,
  "lost+found", // the file system creates it where a volume is mounted
]);
/** Files that exist only after Tollgate created a database. */
const AFTER_DATABASE: ReadonlySet<string> = new Set([MARK, "running.json"]);

/** Without one of these files PostgreSQL fails to start, or initialises a new database among the files of the old one. */
const PARTS: readonly string[] = [
  ...["PG_VERSION", "postgresql.conf", "global/pg_control"],
  ...["base", "pg_commit_ts", "pg_dynshmem", "pg_logical", "pg_multixact", "pg_notify", "pg_replslot"],
  ...["pg_serial", "pg_snapshots", "pg_stat", "pg_stat_tmp", "pg_subtrans", "pg_tblspc", "pg_twophase"],
  ...["pg_wal", "pg_xact"],
];

/** `empty`: a database may be created there; the directory may be missing. `database`: all its parts exist. */
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
  const isLost = found.includes(LOCK) && statSync(join(directory, LOCK)).size > 0;
  if (others.length === 0 && !isLost) return "empty";
  if (isLost || others.some((name) => AFTER_DATABASE.has(name)))
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
const RESTORE =
  "Restore the whole directory from a backup (docs/operations/backup.md), or set TOLLGATE_DATA to another directory to begin without what was recorded.";

const MAX_NAMES = 8;

function formatNames(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return `${[...names].sort().slice(0, MAX_NAMES).join(", ")}${more}`;
}

/** The meaning of operating system errors for a data directory, and a hint for each. */
const REFUSALS: Readonly<Record<string, readonly [found: string, hint: string]>> = {
  ENOTDIR: ["it, or a part of its path, is a file, not a directory", "Set TOLLGATE_DATA to a directory."],
  ENOENT: ["it is a link that leads nowhere", "Set TOLLGATE_DATA to a directory."],
  EEXIST: ["it is a file, or a link that leads nowhere", "Set TOLLGATE_DATA to a directory."],
  ELOOP: ["it is a link that leads to itself", "Set TOLLGATE_DATA to a directory."],
  EACCES: [
    "this account may not read and write it",
    "Give the directory and all that is in it to the account that runs Tollgate.",
  ],
  EPERM: [
    "this account may not read and write it",
    "Give the directory and all that is in it to the account that runs Tollgate.",
  ],
  EROFS: [
    "its file system is read-only",
    "Mount it for writing, or copy the directory to where it can be written.",
  ],
  ENOSPC: ["its disk is full", "Free some space, and start again: nothing was changed."],
  EDQUOT: ["the disk quota is used up", "Free some space, and start again: nothing was changed."],
  EFBIG: ["files may not grow as large as a database needs", "Raise the limit of the file size (ulimit -f)."],
};

/** Converts an operating system error to an error about the data directory; returns any other error unchanged. */
export function toDirectoryError(directory: string, cause: unknown): unknown {
  if (!isSystemError(cause)) return cause;
  const [found, hint] = REFUSALS[cause.code] ?? [
    `the operating system says ${cause.code}`,
    "Check the disk and the directory's permissions, or set TOLLGATE_DATA to another directory.",
  ];
  return new TollgateError(
    "data_directory_unusable",
    `the data directory ${directory} cannot be used: ${found}`,
    { cause, hint },
  );
}

const isSystemError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";

/** Most bytes of write-ahead log that the database collects before a checkpoint (`max_wal_size`). */
const MIN_FREE_BYTES = 64 * 1024 * 1024;

/** Bytes that this account may still write to the disk of a directory; null: its file system does not say. */
function readFreeSpace(directory: string): number | null {
  const { blocks, bavail, bsize } = statfsSync(directory);
  return blocks === 0 ? null : bavail * bsize;
}

/**
 * Refuses a data directory on a disk that is nearly full. The embedded database does not survive a full disk:
 * when it cannot write its log, a query aborts the database or never returns.
 *
 * @throws TollgateError `data_directory_unusable`
 */
export function requireSpace(directory: string): void {
  const problem = findSpaceProblem(directory, MIN_FREE_BYTES);
  if (problem !== null) throw problem;
}

/**
 * Returns an error when the disk of a data directory has less than `least` bytes free; null: it has enough,
 * or the free space is unknown.
 */
function findSpaceProblem(directory: string, least: number): TollgateError | null {
  const free = readFreeSpace(directory);
  if (free === null || free >= least) return null;
  return new TollgateError(
    "data_directory_unusable",
    `the disk of the data directory ${directory} is nearly full: ${toMegabytes(free)} MB are free, ${toMegabytes(least)} MB are needed`,
    { hint: "Free some space and start again. Nothing that was accepted is lost." },
  );
}

/** In bytes. Less than a start needs, so that a process that just started does not stop at once. */
const MIN_RUNNING_BYTES = 48 * 1024 * 1024;
const CHECK_EVERY_MS = 1_000;

/** Calls `onFull` once when the disk of a data directory in use is nearly full. Returns a function that ends the watch. */
export function watchSpace(directory: string, onFull: (problem: TollgateError) => void): () => void {
  const timer = setInterval(() => {
    const problem = findSpaceProblem(directory, MIN_RUNNING_BYTES);
    if (problem === null) return;
    clearInterval(timer);
    onFull(problem);
  }, CHECK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

const toMegabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);

/**
 * Why the database in a data directory did not start: the disk or the permissions, else damage.
 *
 * @param stderrLines the last lines that PostgreSQL wrote about it
 */
export function toStartError(directory: string, stderrLines: readonly string[], cause: unknown): unknown {
  const database = join(directory, DATABASE);
  try {
    requireSpace(directory);
    for (const entry of readdirSync(database, { recursive: true, withFileTypes: true }))
      accessSync(join(entry.parentPath, entry.name), constants.R_OK | constants.W_OK);
  } catch (refusal) {
    return toDirectoryError(directory, refusal);
  }
  return new TollgateError(
    "database_damaged",
    `the database in ${database} does not start: ${findReason(stderrLines) ?? "PostgreSQL gives no reason"}`,
    { cause, hint: RESTORE },
  );
}

/** Returns the reason in PostgreSQL's log lines, without time and process id; null: there is none. */
function findReason(stderrLines: readonly string[]): string | null {
  for (const line of stderrLines) {
    const reason = /(?:FATAL|PANIC|postgres): +(?<reason>.+)/.exec(line)?.groups?.["reason"];
    if (reason !== undefined) return reason;
  }
  return null;
}

/**
 * Creates a database in a data directory without one. It is assembled under another name and renamed in one
 * step, so that a process that ends early leaves either no database or a complete one.
 *
 * @param image a gzipped tar of the database's files
 * @throws TollgateError `data_directory_unusable`
 */
export async function beginDatabase(directory: string, image: Uint8Array): Promise<void> {
  const draft = join(directory, DRAFT);
  try {
    rmSync(draft, { recursive: true, force: true });
    await flushPaths(unpackImage(image, draft));
    renameSync(draft, join(directory, DATABASE));
    await flushPaths([directory]);
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true });
    throw toDirectoryError(directory, cause);
  }
  await markDatabase(directory);
}

export async function markDatabase(directory: string): Promise<void> {
  if (existsSync(join(directory, MARK))) return;
  try {
    writeFileSync(join(directory, MARK), "", { flag: "a" });
    await flushPaths([join(directory, MARK), directory]);
  } catch (cause) {
    throw toDirectoryError(directory, cause);
  }
}

const BLOCK = 512;

/**
 * Writes the files of a gzipped tar and returns all paths. Supports only the parts of the format that our own
 * image uses. PGlite could unpack it too, but it would also start the database, and a started database cannot
 * be renamed.
 */
function unpackImage(image: Uint8Array, into: string): readonly string[] {
  const tar = gunzipSync(image);
  const text = (from: number, length: number): string =>
    tar.toString("utf8", from, from + length).replace(/\0.*$/s, "");
  const paths = new Set<string>([into]);
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    const path = join(into, text(at, 100));
    const size = Number.parseInt(text(at + 124, 12), 8);
    const isDirectory = text(at + 156, 1) === "5";
    const directory = isDirectory ? path : dirname(path);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    paths.add(directory).add(path);
    const body = at + BLOCK;
    if (!isDirectory) writeFileSync(path, tar.subarray(body, body + size), { mode: 0o600 });
    at = body + Math.ceil(size / BLOCK) * BLOCK;
  }
  return [...paths];
}

/** Number of concurrent flushes: one after the other takes five times as long. */
const FLUSHES = 64;

/** Flushes files, and the entries of directories, to the disk. Windows cannot flush what is open for reading. */
async function flushPaths(paths: readonly string[]): Promise<void> {
  if (process.platform === "win32") return;
  for (let at = 0; at < paths.length; at += FLUSHES)
    await Promise.all(paths.slice(at, at + FLUSHES).map(flushPath));
}

async function flushPath(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
