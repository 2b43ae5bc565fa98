import type { Selectable } from "kysely";
import { bigint, defineTable, text } from "../../store/tables/define-table.ts";
import { projectColumns } from "../../store/tables/project-key.ts";

const environmentColumns = { ...projectColumns, environment: text() };

/** An environment of a project, which feature-flag keys belong to. */
export type EnvironmentKey = Readonly<Selectable<typeof environmentColumns>>;

export const flagTables = {
  platform_flag_environments: defineTable({
    columns: {
      ...environmentColumns,
      /** Increases with each write of one of its keys. */
      version: bigint(),
    },
    primaryKey: ["account", "org", "project", "environment"],
  }),
  platform_flag_keys: defineTable({
    columns: {
      ...environmentColumns,
      identifier: text(),
      name: text(),
      description: text().nullable(),
      type: text<"server" | "client">(),
      /** Identifies the record; it grants no access. */
      record_id: text(),
      /** SHA-256 of the key in hex; the key itself is not stored. */
      secret_hash: text(),
      /** The key's last four characters, by which users recognise it. */
      last_four: text(),
      /** Unix time of expiry, in seconds; 0: never. */
      expires_s: bigint(),
      /** Unix time of the last use, in seconds; null: never used. */
      last_used_s: bigint().nullable(),
      created_ms: bigint(),
    },
    primaryKey: ["account", "org", "project", "environment", "identifier"],
    constraints: ["unique (secret_hash)"],
  }),
};
