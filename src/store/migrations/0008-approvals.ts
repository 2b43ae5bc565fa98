import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Approvals, the comments and reviews with commands, the pushers, and the kind of each row of the decision
 * chain.
 */
export const approvals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table approvals (
    repository_id bigint not null,
    number integer not null,
    approval_id text not null,
    node_id text not null,
    body_digest text not null,
    signer_id bigint not null,
    approval jsonb not null,
    given_at timestamptz not null,
    revoked_at timestamptz,
    lapsed_at timestamptz,
    why jsonb,
    primary key (repository_id, approval_id))`,
  "create index approvals_by_pull on approvals (repository_id, number)",
  `create table commands (
    repository_id bigint not null,
    number integer not null,
    source text not null check (source in ('comment', 'review')),
    source_id bigint not null,
    node_id text not null,
    author_id bigint not null,
    created_at timestamptz not null,
    state text not null check (state in ('waiting', 'handled')),
    reaction text,
    answer text,
    reply text not null check (reply in ('none', 'due', 'sending', 'sent')),
    answer_comment_id bigint,
    primary key (repository_id, source, source_id))`,
  "create index commands_by_pull on commands (repository_id, number)",
  `create table pull_pushers (
    repository_id bigint not null,
    number integer not null,
    user_id bigint not null,
    primary key (repository_id, number, user_id))`,
  "alter table decisions add column kind text not null default 'verdict'",
];
