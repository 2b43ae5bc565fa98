import { type Kysely, sql, type Transaction } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { TollgateError } from "../kernel/errors.ts";
import { createDamageError } from "./damage.ts";

/** Key of the lock. */
const MIGRATION_LOCK = sql.lit(3853314791062309107n);

/**
 * Migrates the database to the newest version, in one transaction. Several processes may call this at once: a lock orders them, and
 * each migration runs once. The lock ends with the transaction, however the process ends and whatever proxy is between.
 *
 * @throws TollgateError `migration_failed`, `database_damaged`, `database_version`
 */
export async function migrateDatabase<T>(db: Kysely<T>, migrations: MigrationList): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
      const { newer, isCurrent } = await checkTables(trx, Object.keys(migrations));
      if (isCurrent) return; // Kysely reads all tables and columns before it finds that nothing is to be done
      await migrateInside(trx, {
        ...Object.fromEntries(newer.map((name) => [name, EXECUTED])),
        ...migrations,
      });
    });
  } catch (error) {
    if (error instanceof TollgateError || !(error instanceof MigrationFailure)) throw error;
    throw new TollgateError(
      "migration_failed",
      `the database could not be brought up to date (${error.migration})`,
      {
        cause: error.cause,
        hint: "Check the log for the database's own message; nothing was half-applied.",
      },
    );
  }
}

/** Stands for a migration of a newer version, which was executed. */
const EXECUTED: Migration = {
  up: async () => {
    throw new TollgateError("internal", "a migration of a newer version cannot be executed");
  },
};

class MigrationFailure extends Error {
  readonly migration: string;

  constructor(migration: string, cause: unknown) {
    super(migration, { cause });
    this.migration = migration;
  }
}

async function migrateInside<T>(trx: Transaction<T>, migrations: MigrationList): Promise<void> {
  // Noted by the migration itself: PostgreSQL refuses what Kysely does afterwards, which hides the first error.
  let failure: MigrationFailure | null = null;
  const noted = ([name, { up }]: [string, Migration]): [string, Migration] => [
    name,
    {
      up: async (db) => {
        try {
          await up(db);
        } catch (error) {
          failure = new MigrationFailure(name, error);
          throw error;
        }
      },
    },
  ];
  const provided = Object.fromEntries(Object.entries(migrations).map(noted));
  const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => provided } });
  const { error } = await migrator.migrateToLatest().catch((thrown: unknown) => ({ error: thrown }));
  if (error === undefined) return;
  if (error instanceof TollgateError) throw error;
  throw failure ?? new MigrationFailure("the list", error);
}

/** Tables that contain decisions and evaluations. */
const FIRST_TABLES: readonly string[] = ["decision_head", "decisions", "evaluations"];
const MIGRATIONS_TABLE = "kysely_migration";

interface ExecutedMigrations {
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
async function checkTables<T>(trx: Transaction<T>, known: readonly string[]): Promise<ExecutedMigrations> {
  const { executed, books } = await readTables(trx);
  const newer = executed.filter((name) => !known.includes(name));
  const foreign = newer.filter((name) => !isCompatible(name, known));
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

/** Migrations by name, in the order of their names. */
export type MigrationList = Readonly<Record<string, Migration>>;

/** Creates every declared table. */
export const FIRST_MIGRATION = "0001-tables";

/** Creates a migration that executes these statements one after the other. */
export const createSqlMigration = (statements: readonly string[]): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});

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
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const executed = new Set(rows.map(({ name }) => name));
  return Object.keys(migrations).filter((name) => !executed.has(name));
}
