import type { Generated } from "kysely";
import type { SnapshotKey, StageKey } from "../../area/keys.ts";

export interface PlatformSnapshotsTable extends StageKey {
  /** Assigned by the database; dependent rows are keyed by account and this id. */
  snapshot_id: Generated<number>;
  /** `removing`: past retention, and parts may be left; `removed`: none is. */
  state: "uploading" | "committed" | "removing" | "removed";
  /** The counts marker as uploaded (JSON text); null while uploading. */
  counts: string | null;
  committed_ms: number | null;
  /** Time after which attribute data is no longer readable, ms since 1970. */
  details_until_ms: number | null;
}

interface SnapshotPart extends SnapshotKey {
  category: string;
}

export interface PlatformPagesTable extends SnapshotPart {
  /** The change type of a page of one change type; empty for a page of the whole category. */
  change: string;
  page: number;
  bytes: number;
  digest: string;
  elements: number;
}

/**
 * The rows of one whole-category page that share a change type. `run` = change priority × 1,000,000 + page, so the order
 * (run, position) is the stored order, and numbering the rows at commit touches runs only, never rows.
 */
export interface PlatformRunsTable extends SnapshotPart {
  run: number;
  elements: number;
  /** Ordinal of the run's first row; null until committed. */
  first_ordinal: number | null;
  /** One line per row: folded address, tab, folded name (see platform-server's `fold`). */
  search: string;
  /** JSON array: the facet of each row. */
  facets: string;
}

/** One combination of filterable values in a snapshot. */
export interface PlatformFacetsTable extends SnapshotPart {
  facet: number;
  /** SHA-256 of the combination: module paths can exceed the maximum size of an index entry. */
  digest: string;
  change: string | null;
  provider: string;
  type: string;
  module: string;
}

export interface PlatformRowsTable extends SnapshotPart {
  run: number;
  position: number;
  facet: number;
  name: string;
  resource_address: string;
  mode: string | null;
  change_count: number;
  resource_id: string | null;
  sensitive: boolean | null;
  value: string | null;
  /** The previous address of a resource that the plan moves. */
  previous_address: string | null;
  detail_bytes: number;
}

export interface PlatformDetailsTable extends SnapshotPart {
  run: number;
  position: number;
  /** JSON text of attributes, changes and sensitive_attributes. */
  detail: string;
}

/** Uploaded resource changes; rows are keyed by account id. */
export interface ChangeTables {
  platform_snapshots: PlatformSnapshotsTable;
  platform_pages: PlatformPagesTable;
  platform_runs: PlatformRunsTable;
  platform_facets: PlatformFacetsTable;
  platform_rows: PlatformRowsTable;
  platform_details: PlatformDetailsTable;
}
