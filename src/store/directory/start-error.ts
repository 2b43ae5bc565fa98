import { accessSync, constants, readdirSync } from "node:fs";
import { join } from "node:path";
import { TollgateError } from "../../kernel/errors.ts";
import { DATABASE, RESTORE } from "./content.ts";
import { toDirectoryError } from "./directory-error.ts";
import { requireSpace } from "./space.ts";

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
