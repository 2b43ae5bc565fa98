import { type Kysely, sql, type Transaction } from "kysely";
import { TollgateError } from "../kernel/errors.ts";
import { createDamageError } from "./database/faults.ts";

/** The statements of each migration by its name, in the order of the names. */
export type MigrationList = Readonly<Record<string, readonly string[]>>;

/** Creates every declared table. */
export const FIRST_MIGRATION = "0001-tables";

/** Key of the lock. */
const MIGRATION_LOCK = sql.lit(3853314791062309107n);

/**
 * Migrates the database to the newest version, in one transaction. Several processes may call this at once: a lock orders them, and
 * each migration runs once. The lock ends with the transaction, however the process ends and whatever proxy is between.
 *
 * @throws TollgateError `migration_failed`, `database_damaged`, `database_version`
 */
export async function migrateDatabase<T>(db: Kysely<T>, migrations: MigrationList): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    const executed = await checkTables(trx, Object.keys(migrations));
    for (const [name, statements] of Object.entries(migrations))
      if (!executed.includes(name)) await migrate(trx, name, statements);
  });
}

async function migrate<T>(trx: Transaction<T>, name: string, statements: readonly string[]): Promise<void> {
  try {
    for (const statement of statements) await sql.raw(statement).execute(trx);
    await sql`insert into ${sql.table(MIGRATIONS_TABLE)} (name, executed_at) values (${name}, now())`.execute(
      trx,
    );
  } catch (cause) {
    throw new TollgateError("migration_failed", `the database could not be brought up to date (${name})`, {
      cause,
      hint: "Check the log for the database's own message; nothing was half-applied.",
    });
  }
}

/** Tables that contain decisions and evaluations. */
const FIRST_TABLES: readonly string[] = ["decision_head", "decisions", "evaluations"];
const MIGRATIONS_TABLE = "tollgate_migrations";

/**
 * Refuses a database that this version cannot work on, and a database that lost these tables or the list of its migrations: migrating
 * it would create them again without their rows. A database without any of our tables passes. Returns the executed migrations.
 *
 * @param trx holds the lock of migrations
 * @param known the names of the migrations that this version has
 * @throws TollgateError `database_version`, `database_damaged`
 */
async function checkTables<T>(trx: Transaction<T>, known: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relname in (${sql.join([...FIRST_TABLES, MIGRATIONS_TABLE])})`.execute(
    trx,
  );
  const tables = rows.map(({ name }) => name);
  const books = FIRST_TABLES.filter((name) => tables.includes(name));
  if (!tables.includes(MIGRATIONS_TABLE))
    await sql`create table ${sql.table(MIGRATIONS_TABLE)} (name text primary key, executed_at timestamptz not null)`.execute(
      trx,
    );
  const executed = await listExecuted(trx);
  const foreign = executed.filter((name) => !known.includes(name) && !isCompatible(name, known));
  if (foreign.length > 0)
    throw new TollgateError(
      "database_version",
      `the database was brought to ${foreign.join(", ")}, which this Tollgate does not know`,
      {
        hint: "A newer Tollgate, or another program, wrote it: start that version, or restore the backup from before the upgrade (docs/operations/backup.md). Nothing was changed.",
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
  return executed;
}

async function listExecuted<T>(db: Kysely<T>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS_TABLE)}`.execute(db);
  return rows.map(({ name }) => name).sort();
}

/** `0031-more-columns`, or `0032-contract-0031-old-columns`: removes what the versions before 0031 needed. */
const NAME = /^\d{4}(?:-contract-(?<after>\d{4}))?(?:-[a-z0-9]+)+$/;

/**
 * Whether a version works on a database in which a newer version executed this migration. A migration only adds, unless its name says
 * that it removes what the versions before another migration needed: then a version works if it has the other one.
 *
 * @param known the names of the version's own migrations
 */
export function isCompatible(name: string, known: readonly string[]): boolean {
  const parts = NAME.exec(name);
  if (parts === null) return false;
  const after = parts.groups?.["after"];
  return after === undefined || known.some((own) => own.startsWith(`${after}-`));
}

/**
 * The names of this version's migrations that the database lacks: none after a start, unless an older copy took the database's
 * place. Migrations of a newer version are no fault: another replica is being upgraded.
 */
export async function listPendingMigrations<T>(
  db: Kysely<T>,
  migrations: MigrationList,
): Promise<readonly string[]> {
  const executed = await listExecuted(db);
  return Object.keys(migrations).filter((name) => !executed.includes(name));
}
