import { createSqlMigration } from "./migration-list.ts";

/** What an operator sees of a token, when it expires, and the one head that a CI job's token is bound to. */
export const tokenDetails = createSqlMigration([
  "alter table tokens add column name text",
  "alter table tokens add column created_by text",
  "alter table tokens add column expires_ms bigint",
  "alter table tokens add column head_sha text",
]);
