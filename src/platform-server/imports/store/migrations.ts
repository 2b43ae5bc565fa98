import { createSqlMigration, type MigrationList } from "../../../store/migrations/migration-list.ts";

/** Tables of uploaded pages of imports that are not yet complete. */
export const importsMigrations: MigrationList = {
  "0012-imports": createSqlMigration([
    `create table platform_imports (
    account text not null,
    upload text not null,
    kind text not null,
    state text not null check (state in ('open', 'moving', 'imported')),
    pages integer not null,
    moved integer not null,
    rows integer not null,
    created_ms bigint not null,
    primary key (account, upload))`,
    "create index platform_imports_by_age on platform_imports (created_ms)",
    `create table platform_import_pages (
    account text not null,
    upload text not null,
    page integer not null,
    lines text not null,
    keys text not null,
    problems integer not null,
    primary key (account, upload, page))`,
  ]),
};
