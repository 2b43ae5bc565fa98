import { createSqlMigration, type MigrationList } from "../../../store/migrations/migration-list.ts";

const PROJECT_COLUMNS = `account text not null,
    org text not null,
    project text not null`;
const PROJECT_KEY = "account, org, project";

/** Tables of project settings, and of the background jobs that apply them. */
export const settingsMigrations: MigrationList = {
  "0002-platform": createSqlMigration([
    `create table platform_settings (
    account text not null,
    org text not null,
    project text not null,
    disabled boolean not null,
    primary key (account, org, project))`,
  ]),
  "0007-flags-settings": createSqlMigration([
    `create table platform_default_pipelines (
    ${PROJECT_COLUMNS},
    provisioner text not null,
    operation text not null,
    workspace text not null,
    pipeline text not null,
    updated_ms bigint not null,
    primary key (${PROJECT_KEY}, provisioner, operation, workspace))`,
    `create table platform_settings_jobs (
    account text not null,
    job_id bigint generated always as identity,
    org text not null,
    project text not null,
    kind text not null,
    provisioner text not null,
    requested_ms bigint not null,
    state text not null,
    workspaces bigint,
    finished_ms bigint,
    primary key (account, job_id))`,
    "create index platform_settings_jobs_queued on platform_settings_jobs (job_id) where state = 'queued'",
    `create table platform_automations (
    ${PROJECT_COLUMNS},
    kind text not null,
    provisioner text not null,
    config text,
    job_id bigint not null,
    primary key (${PROJECT_KEY}, kind, provisioner))`,
    `create table platform_drift_triggers (
    ${PROJECT_COLUMNS},
    provisioner text not null,
    workspace text not null,
    pipeline text not null,
    every_ms bigint not null,
    primary key (${PROJECT_KEY}, provisioner, workspace))`,
    `create table platform_ephemeral_schedules (
    ${PROJECT_COLUMNS},
    provisioner text not null,
    workspace text not null,
    pipeline text not null,
    destroy_at_ms bigint,
    delete_at_ms bigint,
    primary key (${PROJECT_KEY}, provisioner, workspace))`,
  ]),
};
