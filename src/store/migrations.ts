import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

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
