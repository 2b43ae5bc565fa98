import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which approvers a comment mentioned, and for which rule. */
export const approvalRequests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`create table approval_requests (
        repository_id bigint not null,
        number integer not null,
        rule text not null,
        approver text not null,
        comment_id bigint,
        primary key (repository_id, number, rule, approver))`)
      .execute(db);
  },
};
