import { createSqlMigration } from "./migration-list.ts";

/** Tokens of the platform and of notifications. */
export const tokens = createSqlMigration([
  `create table tokens (
    id text primary key,
    account text not null,
    purpose text not null check (purpose in ('api', 'import', 'notify')),
    repository_id bigint,
    org text,
    project text,
    secret_hash text not null,
    created_ms bigint not null,
    last_used_ms bigint,
    revoked_ms bigint,
    check (purpose = 'api' or (repository_id is not null and org is not null and project is not null)))`,
]);
