import { createSqlMigration } from "./migration-list.ts";

/** Sessions of browsers, and tokens that read Tollgate's own API for one repository, one owner or all. */
export const signIn = createSqlMigration([
  `create table sessions (
    session_id text primary key,
    user_id bigint not null,
    login text not null,
    tokens text not null,
    created_ms bigint not null,
    expires_ms bigint not null,
    renewing_until_ms bigint)`,
  "create index sessions_by_user on sessions (user_id)",
  "alter table tokens add column owner_id bigint",
  "alter table tokens drop constraint tokens_purpose_check",
  "alter table tokens drop constraint tokens_check",
  "alter table tokens add constraint tokens_purpose_check check (purpose in ('api', 'import', 'notify', 'read'))",
  `alter table tokens add constraint tokens_check check (purpose in ('api', 'read')
    or (repository_id is not null and org is not null and project is not null))`,
]);
