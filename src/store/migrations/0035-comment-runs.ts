import { createSqlMigration } from "./migration-list.ts";

/**
 * Which runs of a comment job did not end, so that their requests may still take effect; and the pull requests whose announced head was not
 * read yet.
 */
export const commentRuns = createSqlMigration([
  "alter table lanes add column is_open boolean not null default false",
  "alter table lanes add column unanswered_at timestamptz",
  "create index pulls_announced on pulls (repository_id, announced_sha) where announced_sha is not null",
]);
