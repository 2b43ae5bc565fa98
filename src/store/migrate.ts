import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { TollgateError } from "../kernel/errors.ts";
import { checkTables } from "./damage/check-tables.ts";
import type { MigrationList } from "./migrations/migration-list.ts";

/**
 * Brings the database to the newest state. Several processes may do it at once: they take turns, each step runs once.
 *
 * @throws TollgateError `migration_failed`, `database_damaged`, `database_version`
 */
export async function migrateDatabase<T>(db: Kysely<T>, migrations: MigrationList): Promise<void> {
  await checkTables(db, new Set(Object.keys(migrations)));
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const { error, results } = await new Migrator({
    db,
    provider,
    allowUnorderedMigrations: true, // numbers are given out per area, so one may come after a higher one was run
  }).migrateToLatest();
  if (error === undefined) return;
  if (error instanceof TollgateError) throw error;
  const failed = results?.find((result) => result.status === "Error")?.migrationName ?? "the list";
  throw new TollgateError("migration_failed", `the database could not be brought up to date (${failed})`, {
    cause: error,
    hint: "Check the log for the database's own message; nothing was half-applied.",
  });
}
