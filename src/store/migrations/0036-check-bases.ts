import { createSqlMigration } from "./migration-list.ts";

/** The base branches that a check was about, so that it is found under the names of earlier policies. Earlier versions do not write them. */
export const checkBases = createSqlMigration([
  "alter table check_runs add column base_refs text[] not null default '{}'",
  `update check_runs set base_refs = array(
    select distinct evaluations.base_ref from evaluations
    where evaluations.repository_id = check_runs.repository_id
    and evaluations.head_sha = check_runs.head_sha and evaluations.check_name = check_runs.name)`,
]);
