import type { Generated } from "kysely";
import type { Category } from "../../../platform/contract/shapes/change-snapshot.ts";
import type { SnapshotKey, StageKey } from "../../area/keys.ts";

export interface PlatformSnapshotsTable extends StageKey {
  /** Assigned by the database; dependent rows are keyed by account and this id. */
  snapshot_id: Generated<number>;
  /** `removing`: past retention, and parts may be left; `removed`: none is. */
  state: "uploading" | "committed" | "removing" | "removed";
  /** The counts marker as uploaded (JSON text); null while uploading. */
  counts: string | null;
  committed_ms: number | null;
  /** Time after which attribute data is no longer readable, ms since 1970; null while uploading. */
  details_until_ms: number | null;
  /** Whether expired attribute data was removed. */
  are_details_removed: boolean;
}

interface SnapshotPart extends SnapshotKey {
  category: Category;
}

export interface PlatformPagesTable extends SnapshotPart {
  /** The change type of a page of one change type, whose elements are counted only; empty for a page of the whole category. */
  change: string;
  page: number;
  bytes: number;
  digest: string;
  elements: number;
}

/** An uploaded row where it was uploaded. */
export interface PlatformRowsTable extends SnapshotPart {
  page: number;
  position: number;
  /** JSON text of the row as listings contain it, without its ordinal. */
  row: string;
  /** JSON text of attributes, changes and sensitive_attributes; null: past retention. */
  detail: string | null;
}

/** The order of a category's rows, and what they are searched and filtered by: written by the commit, read whole (`snapshot-index.ts`). */
export interface PlatformIndexesTable extends SnapshotPart {
  places: string;
  search: string;
}

/** Uploaded resource changes; rows are keyed by account id. */
export interface ChangeTables {
  platform_snapshots: PlatformSnapshotsTable;
  platform_pages: PlatformPagesTable;
  platform_rows: PlatformRowsTable;
  platform_indexes: PlatformIndexesTable;
}
