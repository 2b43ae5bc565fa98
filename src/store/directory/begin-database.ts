import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { DATABASE, DRAFT, MARK, toDirectoryError } from "./data-directory.ts";

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

/** Writes the mark that says that the directory has a database. */
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
