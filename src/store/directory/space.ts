import { statfsSync } from "node:fs";
import { TollgateError } from "../../kernel/errors.ts";

/** As much as the log of the database may take before it is put away (`max_wal_size`), in bytes. */
const LEAST_FREE = 64 * 1024 * 1024;

/** Bytes that this account may still write to the disk of a directory; null: its file system does not say. */
function freeSpace(directory: string): number | null {
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
  const free = freeSpace(directory);
  if (free === null || free >= LEAST_FREE) return;
  throw new TollgateError(
    "data_directory_unusable",
    `the disk of the data directory ${directory} is nearly full: ${inMegabytes(free)} MB are free, ${inMegabytes(LEAST_FREE)} MB are needed`,
    { hint: "Free some space. Nothing was changed." },
  );
}

const inMegabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);
