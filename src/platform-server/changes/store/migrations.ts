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
    are_details_removed boolean not null,
    primary key (${STAGE_KEY}))`,
    "create index platform_snapshots_by_expiry on platform_snapshots (details_until_ms)",
    `create table platform_pages (
    ${SNAPSHOT_COLUMNS},
    change text not null,
    page integer not null,
    bytes integer not null,
    digest text not null,
    elements integer not null,
    primary key (account, snapshot_id, category, change, page))`,
    `create table platform_rows (
    ${SNAPSHOT_COLUMNS},
    page integer not null,
    position integer not null,
    row text not null,
    detail text,
    primary key (account, snapshot_id, category, page, position))`,
    `create table platform_indexes (
    ${SNAPSHOT_COLUMNS},
    places text not null,
    search text not null,
    primary key (account, snapshot_id, category))`,
    // Read whole and often: decompressing would cost more than the room it saves.
    `alter table platform_indexes alter column places set storage external,
    alter column search set storage external`,
  ]),
};
