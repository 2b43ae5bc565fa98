import { createSqlMigration, type MigrationList } from "../../../store/migrations/migration-list.ts";

const STAGE_COLUMNS = `account text not null,
    org text not null,
    project text not null,
    pipeline_execution_id text not null,
    pipeline_stage_id text not null`;
const STAGE_KEY = "account, org, project, pipeline_execution_id, pipeline_stage_id";

const SNAPSHOT_COLUMNS = `account text not null,
    snapshot_id bigint not null,
    category text not null`;

/** Tables of uploaded resource changes. */
export const changesMigrations: MigrationList = {
  "0002-platform": createSqlMigration([
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
  ]),
  // The address that a resource had before, where a plan moves it.
  "0014-moved-resources": createSqlMigration([
    "alter table platform_rows add column previous_address text",
    `create index platform_rows_moved on platform_rows (account, snapshot_id, category, run, position)
        where previous_address is not null`,
  ]),
  // Pages are no longer stored as uploaded: they hold values that uploaders did not mask.
  "0015-sensitive-values": createSqlMigration(["alter table platform_pages drop column body"]),
};
