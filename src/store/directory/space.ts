import { statfsSync } from "node:fs";
import { TollgateError } from "../../kernel/errors.ts";

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

/**
 * Calls `onFull` once when the disk of a data directory in use is nearly full. Returns a function that ends
 * the watch.
 */
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
