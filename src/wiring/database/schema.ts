import { readFileSync } from "node:fs";
import { getCodeFile } from "../../package/shipped-files.ts";
import { platformMigrations } from "../../platform-server/migrations.ts";
import { botMigrations } from "../../store/migrations/bot-migrations.ts";
import { joinMigrations } from "../../store/migrations/migration-list.ts";
import type { DatabaseSchema } from "../../store/open.ts";

/**
 * Path of the database that `npm run generate` created with the pinned version of PGlite. Starting from it
 * saves one second and half a gigabyte of memory.
 */
export const PREPARED_DATABASE = getCodeFile("wiring/database/empty-database.tar.gz");

/** The schema of a Tollgate database: the tables of the bot and of the embedded platform. */
export const schema: DatabaseSchema = {
  migrations: joinMigrations([botMigrations, ...platformMigrations]),
  preparedDatabase: () => readFileSync(PREPARED_DATABASE),
};
