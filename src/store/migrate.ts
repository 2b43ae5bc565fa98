import { type Kysely, sql, type Transaction } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { TollgateError } from "../kernel/errors.ts";
import { checkTables } from "./damage/check-tables.ts";
import type { MigrationList } from "./migrations.ts";

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
