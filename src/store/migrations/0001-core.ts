import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The bot's own state. Everything of GitHub is keyed by GitHub's numeric ids; names are labels. */
export const core: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table installations (
    installation_id bigint primary key,
    owner_id bigint not null,
    owner_login text not null,
    owner_type text not null,
    repository_selection text not null,
    suspended boolean not null,
    updated_at timestamptz not null)`,
  `create table repositories (
    repository_id bigint primary key,
    installation_id bigint not null,
    owner_id bigint,
    owner_login text not null,
    name text not null,
    listed_at timestamptz,
    updated_at timestamptz not null)`,
  "create index repositories_by_owner on repositories (owner_id)",
  `create table pulls (
    repository_id bigint not null,
    number integer not null,
    head_sha text not null,
    merge_sha text,
    base_ref text not null,
    announced_sha text,
    state text not null,
    head_seen_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (repository_id, number))`,
  "create index pulls_by_head on pulls (repository_id, head_sha)",
  "create index pulls_by_merge on pulls (repository_id, merge_sha)",
  `create table lanes (
    lane text primary key,
    token bigint not null,
    started_at timestamptz not null)`,
  `create table bindings (
    repository_id bigint not null,
    head_sha text not null,
    org text not null,
    project text not null,
    pipeline_execution_id text not null,
    source text not null,
    created_at timestamptz not null,
    primary key (repository_id, head_sha, org, project, pipeline_execution_id))`,
  `create table facts (
    account text not null,
    org text not null,
    project text not null,
    pipeline_execution_id text not null,
    stages text not null,
    facts jsonb not null,
    created_at timestamptz not null,
    primary key (account, org, project, pipeline_execution_id, stages))`,
  `create table read_attempts (
    repository_id bigint not null,
    head_sha text not null,
    org text not null,
    project text not null,
    pipeline_execution_id text not null,
    attempts integer not null,
    first_at timestamptz not null,
    primary key (repository_id, head_sha, org, project, pipeline_execution_id))`,
  `create table evaluations (
    repository_id bigint not null,
    number integer not null,
    head_sha text not null,
    base_ref text not null,
    check_name text not null,
    digest text not null,
    decision text not null,
    policy_blobs text not null,
    evaluation jsonb not null,
    created_at timestamptz not null,
    primary key (repository_id, number))`,
  "create index evaluations_by_head on evaluations (repository_id, head_sha)",
  `create table check_runs (
    repository_id bigint not null,
    head_sha text not null,
    name text not null,
    check_run_id bigint,
    digest text not null,
    completed boolean not null,
    version bigint not null,
    updated_at timestamptz not null,
    primary key (repository_id, head_sha, name))`,
  `create table comments (
    repository_id bigint not null,
    number integer not null,
    comment_id bigint not null,
    digest text not null,
    updated_at timestamptz not null,
    primary key (repository_id, number))`,
  `create table policy_seen (
    repository_id bigint not null,
    base_ref text not null,
    which text not null,
    blob text not null,
    updated_at timestamptz not null,
    primary key (repository_id, base_ref, which))`,
  `create table merge_groups (
    repository_id bigint not null,
    head_sha text not null,
    head_ref text not null,
    base_ref text not null,
    base_sha text not null,
    created_at timestamptz not null,
    primary key (repository_id, head_sha))`,
  `create table recorded_events (
    delivery_id text primary key,
    repository_id bigint not null,
    number integer not null,
    kind text not null,
    event jsonb not null,
    created_at timestamptz not null)`,
  `create table decisions (
    seq bigint primary key,
    at timestamptz not null,
    repository_id bigint not null,
    number integer not null,
    head_sha text not null,
    record text not null,
    previous_hash text not null,
    hash text not null unique)`,
  "create index decisions_by_pull on decisions (repository_id, number, seq)",
  `create table decision_head (
    id integer primary key check (id = 1),
    seq bigint not null,
    hash text not null)`,
  `insert into decision_head (id, seq, hash) values (1, 0, '${"0".repeat(64)}')`,
  `create function decisions_are_final() returns trigger language plpgsql as $$
    begin raise exception 'decisions are append-only'; end $$`,
  `create trigger decisions_append_only before update or delete or truncate on decisions
    for each statement execute function decisions_are_final()`,
];
