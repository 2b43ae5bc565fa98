import { createSqlMigration } from "./migration-list.ts";

/** The heartbeat of each running process: what is limited for all of them is divided by their number. */
export const processes = createSqlMigration([
  "create table processes (id text primary key, seen_at timestamptz not null)",
]);
