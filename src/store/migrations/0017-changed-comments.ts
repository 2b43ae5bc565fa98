import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Our own comments that somebody else edited or deleted. */
export const changedComments: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`create table changed_comments (
        repository_id bigint not null,
        number integer not null,
        comment_id bigint not null,
        changed_at timestamptz not null,
        restored boolean not null,
        primary key (repository_id, number, comment_id, changed_at))`)
      .execute(db);
  },
};
