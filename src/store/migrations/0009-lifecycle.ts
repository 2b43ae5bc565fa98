import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The digest of the newest comment's content, and the earlier comments where the policy requires a new
 * comment each time.
 */
export const lifecycle: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  "alter table comments add column content text not null default ''",
  `create table earlier_comments (
    repository_id bigint not null,
    number integer not null,
    comment_id bigint not null,
    hidden boolean not null,
    created_at timestamptz not null,
    primary key (repository_id, comment_id))`,
  "create index earlier_comments_by_pull on earlier_comments (repository_id, number)",
];
