interface UploadKey {
  account: string;
  /** Made by the caller. */
  upload: string;
}

export interface PlatformImportsTable extends UploadKey {
  kind: string;
  /**
   * `open`: pages are being uploaded. `moving`: complete; its rows are being moved to their tables.
   * `imported`: all rows are moved.
   */
  state: "open" | "moving" | "imported";
  /** Number of pages; 0 while open. */
  pages: number;
  /** Number of moved pages. */
  moved: number;
  /** Number of rows; 0 while open. */
  rows: number;
  /** Time of the first page, ms since 1970. */
  created_ms: number;
}

export interface PlatformImportPagesTable extends UploadKey {
  page: number;
  /** The valid lines in order, without blank ones. */
  lines: string;
  /** JSON array of [line number, digest of the key]. */
  keys: string;
  /** Number of problems of its lines. */
  problems: number;
}

/** Imports in progress; rows are keyed by account id. */
export interface ImportTables {
  platform_imports: PlatformImportsTable;
  platform_import_pages: PlatformImportPagesTable;
}
