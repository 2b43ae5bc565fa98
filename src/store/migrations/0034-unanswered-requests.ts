import { createSqlMigration } from "./migration-list.ts";

/** What a request may still do whose answer was given up: to a check, and which comment it may create. */
export const unansweredRequests = createSqlMigration([
  "alter table check_runs add column unanswered_at timestamptz",
  "alter table comments add column unanswered_digest text",
]);
