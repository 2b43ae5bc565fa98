import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Migrations by name, in the order of their names. */
export type MigrationList = Readonly<Record<string, Migration>>;

/** Creates a migration that executes these statements one after the other. */
export const createSqlMigration = (statements: readonly string[]): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});

/**
 * Joins several lists of migrations. A name in several lists is one migration in parts, each of which changes
 * different tables: the parts run in the order of the lists, in one transaction.
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
