import { createSqlMigration } from "./migration-list.ts";

/** The processes that live, to share what is limited for all of them. */
export const processes = createSqlMigration([
  "create table processes (id text primary key, seen_at timestamptz not null)",
]);
