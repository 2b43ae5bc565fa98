import { createSqlMigration } from "./migration-list.ts";

/** The costs of merged stages are called like the members of a cost delta. */
export const costColumns = createSqlMigration([
  "alter table merged_stages rename column previous to before",
  "alter table merged_stages rename column current to after",
]);
