import { createSqlMigration } from "./migration-list.ts";

/** What several processes on one database share: the state of installations at GitHub, and whose turn periodic work is. */
export const replicas = createSqlMigration([
  `create table shared_installations (
    installation_id bigint primary key,
    next_write_at timestamptz not null,
    paused_until timestamptz not null,
    changed_at timestamptz)`,
  `create table turns (
    work text primary key,
    holder text,
    free_at timestamptz not null,
    began_at timestamptz not null,
    begun bigint not null)`,
]);
