import { createSqlMigration, type MigrationList } from "../../../store/migrations/migration-list.ts";

const STAGE_COLUMNS = `account text not null,
    org text not null,
    project text not null,
    pipeline_execution_id text not null,
    pipeline_stage_id text not null`;
const STAGE_KEY = "account, org, project, pipeline_execution_id, pipeline_stage_id";

/** Tables of executions, their audit events, commits and costs. */
export const executionsMigrations: MigrationList = {
  "0002-platform": createSqlMigration([
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
    `create table platform_costs (
    ${STAGE_COLUMNS},
    cost text,
    modules text,
    primary key (${STAGE_KEY}))`,
  ]),
  "0037-cost-parts": createSqlMigration([
    "alter table platform_costs add column cost_digest text, add column modules_digest text",
    `create table platform_cost_parts (
    ${STAGE_COLUMNS},
    digest text not null,
    part integer not null,
    text text not null,
    primary key (${STAGE_KEY}, digest, part),
    foreign key (${STAGE_KEY}) references platform_costs (${STAGE_KEY}) on delete cascade)`,
  ]),
};
