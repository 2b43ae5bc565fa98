import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The address that a resource had before, where a plan moves it. */
export const movedResources: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw("alter table platform_rows add column previous_address text").execute(db);
    await sql
      .raw(`create index platform_rows_moved on platform_rows (account, snapshot_id, category, run, position)
        where previous_address is not null`)
      .execute(db);
  },
};
