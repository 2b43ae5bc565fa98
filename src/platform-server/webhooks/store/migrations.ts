import { createSqlMigration, type MigrationList } from "../../../store/migrations/migration-list.ts";

const OF_A_HOOK = `account text not null,
    hook_id bigint not null`;
const GOES_WITH_IT =
  "foreign key (account, hook_id) references platform_hooks (account, hook_id) on delete cascade";

/**
 * Tables of webhooks of package registries and code hosting, their deliveries, and the record of each
 * attempt.
 */
export const webhooksMigrations: MigrationList = {
  "0006-webhooks": createSqlMigration([
    `create table platform_hook_parents (
    account text not null,
    kind text not null,
    org text not null,
    project text not null,
    name text not null,
    parent_id bigint generated always as identity,
    primary key (account, kind, org, project, name),
    unique (account, parent_id))`,
    `create table platform_hooks (
    account text not null,
    hook_id bigint generated always as identity,
    parent_id bigint not null,
    identifier text not null,
    name text not null,
    description text not null,
    url text not null,
    enabled boolean not null,
    insecure boolean not null,
    triggers text not null,
    headers text not null,
    secret text,
    secret_identifier text,
    secret_space_id bigint,
    secret_space_path text,
    latest_result text,
    version bigint not null default 0,
    created_by bigint not null,
    created_ms bigint not null,
    updated_ms bigint not null,
    primary key (account, hook_id),
    unique (account, parent_id, identifier),
    foreign key (account, parent_id) references platform_hook_parents (account, parent_id))`,
    `create table platform_hook_deliveries (
    ${OF_A_HOOK},
    delivery_id bigint generated always as identity,
    event text not null,
    body text not null,
    attempts bigint not null default 0,
    done boolean not null default false,
    created_ms bigint not null,
    primary key (account, delivery_id),
    ${GOES_WITH_IT})`,
    "create index platform_hook_deliveries_of_hook on platform_hook_deliveries (account, hook_id)",
    "create index platform_hook_deliveries_by_time on platform_hook_deliveries (created_ms)",
    `create table platform_hook_executions (
    ${OF_A_HOOK},
    execution_id bigint generated always as identity,
    retrigger_of bigint,
    event text not null,
    result text not null,
    error text not null,
    duration_ns bigint not null,
    request_url text not null,
    request_headers text not null,
    request_body text not null,
    response_code bigint,
    response_status text not null,
    response_headers text not null,
    response_body text not null,
    created_ms bigint not null,
    primary key (account, execution_id),
    ${GOES_WITH_IT})`,
    "create index platform_hook_executions_of_hook on platform_hook_executions (account, hook_id, execution_id)",
    "create index platform_hook_executions_by_time on platform_hook_executions (created_ms)",
  ]),
};
