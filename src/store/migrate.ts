import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { TollgateError } from "../kernel/errors.ts";
import { checkTables } from "./damage/check-tables.ts";
import type { MigrationList } from "./migrations/migration-list.ts";

/**
 * Migrates the database to the newest version. Several processes may call this at once: a lock orders them,
 * and each migration runs once.
 *
 * @throws TollgateError `migration_failed`, `database_damaged`, `database_version`
 */
export async function migrateDatabase<T>(db: Kysely<T>, migrations: MigrationList): Promise<void> {
  await checkTables(db, new Set(Object.keys(migrations)));
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const { error, results } = await new Migrator({
    db,
    provider,
    allowUnorderedMigrations: true, // numbers are assigned per area, so a lower one may be added after a higher one was executed
  }).migrateToLatest();
  if (error === undefined) return;
  if (error instanceof TollgateError) throw error;
  const failed = results?.find((result) => result.status === "Error")?.migrationName ?? "the list";
  throw new TollgateError("migration_failed", `the database could not be brought up to date (${failed})`, {
    cause: error,
    hint: "Check the log for the database's own message; nothing was half-applied.",
  });
}
