import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The embedded platform's tables. Every key starts with the account id. */
export const platform: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STAGE_COLUMNS = `account text not null,
    org text not null,
    project text not null,
    pipeline_execution_id text not null,
    pipeline_stage_id text not null`;
const STAGE_KEY = "account, org, project, pipeline_execution_id, pipeline_stage_id";

const SNAPSHOT_COLUMNS = `account text not null,
    snapshot_id bigint not null,
    category text not null`;

const STATEMENTS = [
  `create table platform_executions (
    ${STAGE_COLUMNS},
    pipeline text not null,
    workspace text not null,
    status text not null,
    created_ms bigint not null,
    primary key (${STAGE_KEY}))`,
  "create index platform_executions_by_time on platform_executions (account, org, project, created_ms)",
  `create index platform_executions_by_workspace
    on platform_executions (account, org, project, workspace, created_ms)`,
  `create table platform_audit_events (
    ${STAGE_COLUMNS},
    id bigint generated always as identity,
    hash text not null,
    name text not null,
    repo_url text not null,
    type text not null,
    token_id text not null,
    created_ms bigint not null,
    primary key (${STAGE_KEY}, id))`,
  `create table platform_commits (
    ${STAGE_COLUMNS},
    sha text not null,
    repository text not null,
    repository_id bigint,
    source text not null,
    created_ms bigint not null)`,
  "create index platform_commits_by_sha on platform_commits (account, sha)",
  `create unique index platform_commits_once
    on platform_commits (${STAGE_KEY}, sha, repository, (coalesce(repository_id, 0)))`,
  `create table platform_snapshots (
    ${STAGE_COLUMNS},
    snapshot_id bigint generated always as identity unique,
    state text not null,
    counts text,
    committed_ms bigint,
    details_until_ms bigint,
    primary key (${STAGE_KEY}))`,
  "create index platform_snapshots_by_expiry on platform_snapshots (details_until_ms)",
  `create table platform_pages (
    ${SNAPSHOT_COLUMNS},
    change text not null,
    page integer not null,
    bytes integer not null,
    digest text not null,
    elements integer not null,
    body bytea,
    primary key (account, snapshot_id, category, change, page))`,
  `create table platform_runs (
    ${SNAPSHOT_COLUMNS},
    run integer not null,
    elements integer not null,
    first_ordinal integer,
    search text not null,
    facets text not null,
    primary key (account, snapshot_id, category, run))`,
  // Read whole and often: decompressing would cost more than the room it saves.
  `alter table platform_runs alter column search set storage external,
    alter column facets set storage external`,
  `create table platform_facets (
    ${SNAPSHOT_COLUMNS},
    facet integer not null,
    digest text not null,
    change text,
    provider text not null,
    type text not null,
    module text not null,
    primary key (account, snapshot_id, facet),
    unique (account, snapshot_id, digest))`,
  `create table platform_rows (
    ${SNAPSHOT_COLUMNS},
    run integer not null,
    position integer not null,
    facet integer not null,
    name text not null,
    resource_address text not null,
    mode text,
    change_count integer not null,
    resource_id text,
    sensitive boolean,
    value text,
    detail_bytes integer not null,
    primary key (account, snapshot_id, category, run, position))`,
  `create table platform_details (
    ${SNAPSHOT_COLUMNS},
    run integer not null,
    position integer not null,
    detail text not null,
    primary key (account, snapshot_id, category, run, position))`,
  `create table platform_costs (
    ${STAGE_COLUMNS},
    cost text,
    modules text,
    primary key (${STAGE_KEY}))`,
  `create table platform_settings (
    account text not null,
    org text not null,
    project text not null,
    disabled boolean not null,
    primary key (account, org, project))`,
  `create table tokens (
    id text primary key,
    account text not null,
    purpose text not null check (purpose in ('api', 'import', 'notify')),
    repository_id bigint,
    org text,
    project text,
    secret_hash text not null,
    created_ms bigint not null,
    last_used_ms bigint,
    revoked_ms bigint,
    check (purpose = 'api' or (repository_id is not null and org is not null and project is not null)))`,
];
