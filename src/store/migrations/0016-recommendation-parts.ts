import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which recommendation another one is a part of. */
export const recommendationParts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table platform_recommendations add column parent_id text collate "C"`.execute(db);
    await sql`create index platform_recommendations_parts on platform_recommendations (account, parent_id)
      where parent_id is not null`.execute(db);
  },
};
