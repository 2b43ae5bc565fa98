import { createSqlMigration, type MigrationList } from "../../../store/migrations/migration-list.ts";

const PROJECT_COLUMNS = `account text not null,
    org text not null,
    project text not null`;
const PROJECT_KEY = "account, org, project";

/** Tables of environment keys. */
export const flagKeysMigrations: MigrationList = {
  "0007-flags-settings": createSqlMigration([
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
  ]),
  // Keys get an id of their own.
  "0015-sensitive-values": createSqlMigration([
    "alter table platform_flag_keys add column record_id text not null default gen_random_uuid()::text",
  ]),
};
