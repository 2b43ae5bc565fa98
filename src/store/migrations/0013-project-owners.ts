import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which repository owns a project of the embedded platform that has the repository's name. */
export const projectOwners: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`create table platform_project_owners (
        account text not null,
        org text not null,
        project text not null,
        repository_id bigint not null,
        created_ms bigint not null,
        primary key (account, org, project))`)
      .execute(db);
  },
};
