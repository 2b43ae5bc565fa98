import { bigint, defineTable, integer, text } from "../../store/tables/define-table.ts";

const uploadColumns = {
  account: text(),
  /** Made by the caller. */
  upload: text(),
};

/** Imports in progress; rows are keyed by account id. */
export const importTables = {
  platform_imports: defineTable({
    columns: {
      ...uploadColumns,
      kind: text(),
      /**
       * `open`: pages are being uploaded. `moving`: complete; its rows are being moved to their tables.
       * `imported`: all rows are moved.
       */
      state: text<"open" | "moving" | "imported">(),
      /** Number of pages; 0 while open. */
      pages: integer(),
      /** Number of moved pages. */
      moved: integer(),
      /** Number of rows; 0 while open. */
      rows: integer(),
      /** Time of the first page, ms since 1970. */
      created_ms: bigint(),
    },
    primaryKey: ["account", "upload"],
    indexes: { by_age: "(created_ms)" },
  }),
  platform_import_pages: defineTable({
    columns: {
      ...uploadColumns,
      page: integer(),
      /** The valid lines in order, without blank ones. */
      lines: text(),
      /** JSON array of [line number, digest of the key]. */
      keys: text(),
      /** Number of problems of its lines. */
      problems: integer(),
    },
    primaryKey: ["account", "upload", "page"],
  }),
};
