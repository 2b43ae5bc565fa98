import { createSqlMigration } from "./migration-list.ts";

/** The base branch that a check is about, so that those under names of policies before are found. Null: written by a version before. */
export const checkBases = createSqlMigration(["alter table check_runs add column base_ref text"]);
