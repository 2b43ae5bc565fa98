import { createSqlMigration } from "./migration-list.ts";

/** Who writes a check now: pull requests that share a head take turns. */
export const checkTurns = createSqlMigration([
  `alter table check_runs add column writer text, add column writing_since timestamptz,
    add column is_interrupted boolean not null default false`,
]);
