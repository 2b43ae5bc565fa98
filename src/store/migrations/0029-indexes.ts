import { createSqlMigration } from "./migration-list.ts";

/** Indexes of what the sweep looks for every three minutes, and of what pages look up by name: their cost no longer grows with the table. */
export const indexes = createSqlMigration([
  "create index repositories_by_name on repositories (lower(owner_login), lower(name))",
  "create index repositories_by_listing on repositories (listed_at nulls first)",
  "create index merged_pulls_to_compare on merged_pulls (compare_at) where compared_at is null",
  "create index changed_comments_by_time on changed_comments (changed_at)",
  "create index sessions_by_end on sessions (expires_ms)",
]);
