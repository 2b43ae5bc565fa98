import { PGlite, types } from "@electric-sql/pglite";

/**
 * Settings for little memory and a bounded log: the embedded database serves one process. All of `shared_buffers` is resident from
 * the start; with 32 MB instead of 8, bulk writes take an eighth less time, and reads the same. A new file of the log is not filled with
 * zeros first.
 */
export const START_PARAMS: readonly string[] = [
  ...PGlite.defaultStartParams,
  ...["shared_buffers=8MB", "max_wal_size=64MB", "min_wal_size=32MB", "wal_init_zero=off"].flatMap(
    (setting) => ["-c", setting],
  ),
];

/** int8 as a number on both engines; GitHub's ids and our counters stay far below 2^53. */
export function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`an integer from the database is too large: ${text}`);
  return value;
}

export const PARSERS = { [types.INT8]: parseInteger };
