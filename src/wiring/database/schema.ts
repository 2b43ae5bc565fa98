import { readFileSync } from "node:fs";
import { getCodeFile } from "../../package/shipped-files.ts";
import { platformTables } from "../../platform-server/tables.ts";
import { createSqlMigration, FIRST_MIGRATION } from "../../store/migrate.ts";
import type { DatabaseSchema } from "../../store/open.ts";
import { listCreateStatements } from "../../store/tables/define-table.ts";
import { botTables } from "../../store/tables/tables.ts";

/**
 * Path of the database that `npm run generate` created with the pinned version of PGlite. Starting from it
 * saves one second and half a gigabyte of memory.
 */
export const PREPARED_DATABASE = getCodeFile("wiring/database/empty-database.tar.gz");

/** The schema of a Tollgate database: the tables of the bot and of the embedded platform. */
export const schema: DatabaseSchema = {
  migrations: {
    [FIRST_MIGRATION]: createSqlMigration(listCreateStatements({ ...botTables, ...platformTables })),
  },
  preparedDatabase: () => readFileSync(PREPARED_DATABASE),
};
