import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Migrations by name; the names give the order. */
export type MigrationList = Readonly<Record<string, Migration>>;

/** A migration that executes these statements one after the other. */
export const createSqlMigration = (statements: readonly string[]): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});

/**
 * All migrations of several lists. A name that occurs in several lists is one migration in parts, each of which changes other tables:
 * they run in the order of the lists, in one transaction.
 */
export function joinMigrations(lists: readonly MigrationList[]): MigrationList {
  const parts = Map.groupBy(
    lists.flatMap((list) => Object.entries(list)),
    ([name]) => name,
  );
  const joined = [...parts].map(([name, entries]): [string, Migration] => [
    name,
    {
      async up(db: Kysely<unknown>): Promise<void> {
        for (const [, part] of entries) await part.up(db);
      },
    },
  ]);
  return Object.fromEntries(joined);
}
