import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Pages are no longer kept as uploaded, because they hold what uploaders did not mask; keys of environments get an id of their own. */
export const sensitiveValues: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table platform_pages drop column body`.execute(db);
    await sql`alter table platform_flag_keys
      add column record_id text not null default gen_random_uuid()::text`.execute(db);
  },
};
