import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Keys of environments, and the settings of projects with the background jobs that carry them out. */
export const flagsAndSettings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const PROJECT_COLUMNS = `account text not null,
    org text not null,
    project text not null`;
const PROJECT_KEY = "account, org, project";

const STATEMENTS = [
  `create table platform_flag_environments (
    ${PROJECT_COLUMNS},
    environment text not null,
    version bigint not null,
    primary key (${PROJECT_KEY}, environment))`,
  `create table platform_flag_keys (
    ${PROJECT_COLUMNS},
    environment text not null,
    identifier text not null,
    name text not null,
    description text,
    type text not null,
    secret_hash text not null unique,
    last_four text not null,
    expires_s bigint not null,
    last_used_s bigint,
    created_ms bigint not null,
    primary key (${PROJECT_KEY}, environment, identifier))`,
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
];
