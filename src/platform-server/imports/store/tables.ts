interface UploadKey {
  account: string;
  /** Made by the caller. */
  upload: string;
}

export interface PlatformImportsTable extends UploadKey {
  kind: string;
  /** `open`: pages come. `moving`: complete, and its rows go where they belong. `imported`: all are there. */
  state: "open" | "moving" | "imported";
  /** How many pages it has; 0 while open. */
  pages: number;
  /** How many of them have been moved. */
  moved: number;
  /** How many rows it has; 0 while open. */
  rows: number;
  /** When the first page came, milliseconds since 1970. */
  created_ms: number;
}

export interface PlatformImportPagesTable extends UploadKey {
  page: number;
  /** The lines that are well, one after the other, without blank ones. */
  lines: string;
  /** JSON array of [line number, digest of its key]. */
  keys: string;
  /** How many problems its lines have. */
  problems: number;
}

/** What is being imported; rows are keyed by account id. */
export interface ImportTables {
  platform_imports: PlatformImportsTable;
  platform_import_pages: PlatformImportPagesTable;
}
