import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Overrides of checks, and the reviewers whom Tollgate requested. */
export const overrides: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table overrides (
    repository_id bigint not null,
    number integer not null,
    override_id text not null,
    node_id text not null,
    body_digest text not null,
    person_id bigint not null,
    login text not null,
    head_sha text not null,
    base_ref text not null,
    policy_blobs text not null,
    reason text not null,
    given_at timestamptz not null,
    ended_at timestamptz,
    why text,
    primary key (repository_id, override_id))`,
  "create index overrides_by_pull on overrides (repository_id, number)",
  `create table reviewer_requests (
    repository_id bigint not null,
    number integer not null,
    reviewer text not null,
    state text not null check (state in ('requested', 'left')),
    requested_at timestamptz not null,
    primary key (repository_id, number, reviewer))`,
];
