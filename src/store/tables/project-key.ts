import type { Selectable } from "kysely";
import { bigint, defineTable, text } from "./define-table.ts";

/** Columns that name a project of the platform. They begin with the account, because two accounts may use the same names. */
export const projectColumns = { account: text(), org: text(), project: text() };

export type ProjectKey = Readonly<Selectable<typeof projectColumns>>;

/** Returns the key without other members of the object: for conditions that name each column. */
export const toProjectKey = ({ account, org, project }: ProjectKey): ProjectKey => ({
  account,
  org,
  project,
});

/** Which repository owns a project that has the repository's name. */
export const projectOwners = defineTable({
  columns: {
    ...projectColumns,
    /** GitHub's id. */
    repository_id: bigint(),
  },
  primaryKey: ["account", "org", "project"],
});
