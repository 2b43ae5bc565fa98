import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** The embedded platform's tables; rows are keyed by account id. */
export const platform: Migration = {
  async up(_db: Kysely<unknown>): Promise<void> {},
};
