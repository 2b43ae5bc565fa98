import { accessSync, constants, readdirSync } from "node:fs";
import { join } from "node:path";
import { TollgateError } from "../../kernel/errors.ts";
import { DATABASE, RESTORE } from "./content.ts";
import { toDirectoryError } from "./directory-error.ts";
import { requireSpace } from "./space.ts";

/**
 * Returns the reason why the database in a data directory did not start: disk, permissions, or else damage.
 *
 * @param said the last lines that PostgreSQL logged about the start
 */
export function toStartError(directory: string, said: readonly string[], cause: unknown): unknown {
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
    `the database in ${database} does not start: ${findReason(said) ?? "PostgreSQL gives no reason"}`,
    { cause, hint: RESTORE },
  );
}

/** Returns the reason in PostgreSQL's log lines, without time and process id; null: there is none. */
function findReason(said: readonly string[]): string | null {
  for (const line of said) {
    const reason = /(?:FATAL|PANIC|postgres): +(?<reason>.+)/.exec(line)?.groups?.["reason"];
    if (reason !== undefined) return reason;
  }
  return null;
}
