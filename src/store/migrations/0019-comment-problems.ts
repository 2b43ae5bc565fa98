import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Comments that GitHub refuses or that others change repeatedly; times of comment comparisons; times of reply
 * attempts.
 */
export const commentProblems: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table comment_problems (
    repository_id bigint not null,
    number integer not null,
    problem text not null,
    digest text not null,
    tries integer not null,
    first_at timestamptz not null,
    next_at timestamptz not null,
    primary key (repository_id, number))`,
  "create index comment_problems_by_time on comment_problems (next_at)",
  `create table comment_restores (
    repository_id bigint not null,
    number integer not null,
    restored_at timestamptz not null)`,
  "create index comment_restores_by_pull on comment_restores (repository_id, number)",
  "alter table comments add column checked_at timestamptz",
  "delete from changed_comments where restored",
  "alter table changed_comments drop column restored",
  "alter table commands add column reply_tries integer not null default 0",
  "alter table commands add column reply_next_at timestamptz",
  "create index commands_by_reply on commands (reply) where reply in ('due', 'sending')",
];
