import { statfsSync } from "node:fs";
import { TollgateError } from "../../kernel/errors.ts";

/** As much as the log of the database may take before it is put away (`max_wal_size`), in bytes. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;

/** Bytes that this account may still write to the disk of a directory; null: its file system does not say. */
function readFreeSpace(directory: string): number | null {
  const { blocks, bavail, bsize } = statfsSync(directory);
  return blocks === 0 ? null : bavail * bsize;
}

/**
 * Refuses a data directory on a disk that is nearly full. The embedded database does not survive a full one: where its log cannot be
 * written it ends in the middle of a query, or never returns from it.
 *
 * @throws TollgateError `data_directory_unusable`
 */
export function requireSpace(directory: string): void {
  const problem = findSpaceProblem(directory, MIN_FREE_BYTES);
  if (problem !== null) throw problem;
}

/** Why the disk of a data directory has too little space, `least` in bytes; null: it has enough, or does not say. */
function findSpaceProblem(directory: string, least: number): TollgateError | null {
  const free = readFreeSpace(directory);
  if (free === null || free >= least) return null;
  return new TollgateError(
    "data_directory_unusable",
    `the disk of the data directory ${directory} is nearly full: ${toMegabytes(free)} MB are free, ${toMegabytes(least)} MB are needed`,
    { hint: "Free some space and start again. Nothing that was accepted is lost." },
  );
}

/** Less than a start needs, so that a process that was just started is not ended at once, in bytes. */
const MIN_RUNNING_BYTES = 48 * 1024 * 1024;
const CHECK_EVERY_MS = 1_000;

/** Calls `onFull` once when the disk of a data directory in use is nearly full. Returns what ends the watch. */
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
