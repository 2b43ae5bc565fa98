import { createSqlMigration } from "./migration-list.ts";

/** Who approved is called approver, as everywhere else; a table that nothing writes is gone. */
export const approvers = createSqlMigration([
  "alter table approvals rename column signer_id to approver_id",
  "drop table recorded_events",
]);
