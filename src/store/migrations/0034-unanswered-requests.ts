import { createSqlMigration } from "./migration-list.ts";

/** Which check a request without an answer may still change. The version before 0035 also writes `unanswered_digest`. */
export const unansweredRequests = createSqlMigration([
  "alter table check_runs add column unanswered_at timestamptz",
  "alter table comments add column unanswered_digest text",
]);
