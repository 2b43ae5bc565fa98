import { createSqlMigration } from "./migration-list.ts";

/** Who posted the status or check that bound an execution: it counts only while the operator trusts that account or App. */
export const bindingPosters = createSqlMigration(["alter table bindings add column poster_id bigint"]);
