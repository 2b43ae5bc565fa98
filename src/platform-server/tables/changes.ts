import type { Category } from "../../platform/contract/resource-changes.ts";
import { bigint, boolean, defineTable, identity, integer, text } from "../../store/tables/define-table.ts";
import { STAGE_KEY, snapshotColumns, stageColumns } from "./keys.ts";

const partColumns = { ...snapshotColumns, category: text<Category>() };

/** Uploaded resource changes; rows are keyed by account id. */
export const changeTables = {
  platform_snapshots: defineTable({
    columns: {
      ...stageColumns,
      /** Dependent rows are keyed by account and this id. */
      snapshot_id: identity(),
      /** `removing`: past retention, and parts may be left; `removed`: none is. */
      state: text<"uploading" | "committed" | "removing" | "removed">(),
      /** The counts marker as uploaded (JSON text); null while uploading. */
      counts: text().nullable(),
      committed_ms: bigint().nullable(),
      /** Time after which attribute data is no longer readable, ms since 1970; null while uploading. */
      details_until_ms: bigint().nullable(),
      /** Whether expired attribute data was removed. */
      are_details_removed: boolean(),
    },
    primaryKey: STAGE_KEY,
    constraints: ["unique (snapshot_id)"],
    indexes: { by_expiry: "(details_until_ms)" },
  }),
  platform_pages: defineTable({
    columns: {
      ...partColumns,
      /** The change type of a page of one change type, whose elements are counted only; empty for a page of the whole category. */
      change: text(),
      page: integer(),
      bytes: integer(),
      digest: text(),
      elements: integer(),
    },
    primaryKey: ["account", "snapshot_id", "category", "change", "page"],
  }),
  /** An uploaded row where it was uploaded. */
  platform_rows: defineTable({
    columns: {
      ...partColumns,
      page: integer(),
      position: integer(),
      /** JSON text of the row as listings contain it, without its ordinal. */
      row: text(),
      /** JSON text of attributes, changes and sensitive_attributes; null: past retention. */
      detail: text().nullable(),
    },
    primaryKey: ["account", "snapshot_id", "category", "page", "position"],
  }),
  /** The order of a category's rows, and what they are searched and filtered by: written by the commit, read whole (`snapshot-index.ts`). */
  platform_indexes: defineTable({
    columns: { ...partColumns, places: text(), search: text() },
    primaryKey: ["account", "snapshot_id", "category"],
    // Read whole and often: decompressing would cost more than the room it saves.
    statements: [
      "alter table platform_indexes alter column places set storage external, alter column search set storage external",
    ],
  }),
};
