import { readFileSync } from "node:fs";
import { join } from "node:path";
import { platformMigrations } from "../../platform-server/migrations.ts";
import { botMigrations } from "../../store/migrations/bot-migrations.ts";
import { joinMigrations } from "../../store/migrations/migration-list.ts";
import type { DatabaseSchema } from "../../store/open.ts";

/** Made by `npm run generate` with the pinned version of PGlite. Starting from it saves a second and half a gigabyte of memory. */
export const PREPARED_DATABASE = join(import.meta.dirname, "empty-database.tar.gz");

/** What a database of Tollgate holds: the tables of the bot and of the embedded platform. */
export const schema: DatabaseSchema = {
  migrations: joinMigrations([botMigrations, ...platformMigrations]),
  preparedDatabase: () => readFileSync(PREPARED_DATABASE),
};
