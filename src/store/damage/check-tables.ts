import { sql, type Transaction } from "kysely";
import { TollgateError } from "../../kernel/errors.ts";
import { FIRST_MIGRATION, isCompatible } from "../migrations.ts";
import { createDamageError } from "./damage.ts";

/** Tables that contain decisions and evaluations. */
const FIRST_TABLES: readonly string[] = ["decision_head", "decisions", "evaluations"];
const MIGRATIONS_TABLE = "kysely_migration";

export interface ExecutedMigrations {
  /** Those that this version does not know and works with. */
  readonly newer: readonly string[];
  /** Whether all that this version knows are executed. */
  readonly isCurrent: boolean;
}

/**
 * Refuses a database that this version cannot work on, and a database that lost these tables or the list of its migrations: migrating
 * it would create them again without their rows. A database without any of our tables passes.
 *
 * @param trx holds the lock of migrations
 * @param known the names of the migrations that this version has
 * @throws TollgateError `database_version`, `database_damaged`
 */
export async function checkTables<T>(
  trx: Transaction<T>,
  known: readonly string[],
): Promise<ExecutedMigrations> {
  const { executed, books } = await readTables(trx);
  const newer = executed.filter((name) => !known.includes(name));
  const foreign = newer.filter((name) => !isCompatible(name, known));
  if (foreign.length > 0)
    throw new TollgateError(
      "database_version",
      `the database was brought to ${foreign.join(", ")}, which this Tollgate does not know`,
      {
        hint: "A newer Tollgate, or another program, wrote it: start that version, or restore the backup from before the upgrade (docs/operations/upgrade.md). Nothing was changed.",
      },
    );
  const isBegun = executed.includes(FIRST_MIGRATION);
  const missing = FIRST_TABLES.filter((name) => !books.includes(name));
  if (isBegun && missing.length > 0)
    throw createDamageError(
      `the table ${missing.join(", ")} is missing, and ${MIGRATIONS_TABLE} says it was made`,
    );
  if (!isBegun && books.length > 0)
    throw createDamageError(
      `the table ${books.join(", ")} is there, and ${MIGRATIONS_TABLE} does not say that it was made`,
    );
  return { newer, isCurrent: known.every((name) => executed.includes(name)) };
}

async function readTables<T>(
  trx: Transaction<T>,
): Promise<{ executed: readonly string[]; books: readonly string[] }> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relname in (${sql.join([...FIRST_TABLES, MIGRATIONS_TABLE])})`.execute(
    trx,
  );
  const tables = rows.map(({ name }) => name);
  const executed = tables.includes(MIGRATIONS_TABLE)
    ? await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS_TABLE)} order by name`.execute(trx)
    : { rows: [] };
  return {
    executed: executed.rows.map(({ name }) => name),
    books: tables.filter((name) => name !== MIGRATIONS_TABLE).sort(),
  };
}
