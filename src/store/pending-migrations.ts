import { type Kysely, sql } from "kysely";
import type { MigrationList } from "./migrations.ts";

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
