import { createSqlMigration } from "./migration-list.ts";

/** Which check a request without an answer may still change. */
export const unansweredRequests = createSqlMigration([
  "alter table check_runs add column unanswered_at timestamptz",
]);
