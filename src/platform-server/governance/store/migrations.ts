import { createSqlMigration, type MigrationList } from "../../../store/migrations/migration-list.ts";

/** Tables of governance evaluations and prompts. */
export const governanceMigrations: MigrationList = {
  "0004-anomalies-governance": createSqlMigration([
    `create table platform_evaluations (
    account text not null,
    id text not null,
    time_ms bigint not null,
    cloud_provider text not null,
    status text not null,
    primary key (account, id))`,
    "create index platform_evaluations_by_time on platform_evaluations (account, time_ms)",
    `create table platform_prompts (
    account text not null,
    id text not null,
    cloud_provider text not null,
    resource_type text not null,
    description text,
    rule_yaml text,
    primary key (account, id))`,
    "create index platform_prompts_by_type on platform_prompts (account, cloud_provider, resource_type)",
  ]),
};
