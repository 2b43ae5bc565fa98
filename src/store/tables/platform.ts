import type { Generated } from "kysely";
import type { AnomalyTables } from "../anomalies/tables.ts";
import type { GovernanceTables } from "../governance/tables.ts";
import type { ImportTables } from "../imports/tables.ts";
import type { RecommendationTables } from "../recommendations/tables.ts";
import type { UnitMetricTables } from "../unit-metrics/tables.ts";
import type { WebhookTables } from "../webhooks/tables.ts";
import type { FlagTables } from "./flag-keys.ts";
import type { ProjectKey, SnapshotKey, StageKey } from "./keys.ts";
import type { SettingsTables } from "./settings.ts";

export type ExecutionStatus = "none" | "success" | "failure";

/** Projects that are named as a repository is, and which repository that was. */
export interface PlatformProjectOwnersTable extends ProjectKey {
  /** GitHub's id. */
  repository_id: number;
  created_ms: number;
}

export interface PlatformExecutionsTable extends StageKey {
  pipeline: string;
  workspace: string;
  status: ExecutionStatus;
  /** Milliseconds since 1970. */
  created_ms: number;
}

export interface PlatformAuditEventsTable extends StageKey {
  id: Generated<number>;
  hash: string;
  name: string;
  repo_url: string;
  type: string;
  token_id: string;
  created_ms: number;
}

/** Which commit an execution ran for, and on whose word. */
export interface PlatformCommitsTable extends StageKey {
  sha: string;
  /** `owner/name` in lower case; a label. */
  repository: string;
  /** The repository that the writing token is bound to; null: written with a token of the whole account. */
  repository_id: number | null;
  source: "audit" | "ingest";
  created_ms: number;
}

export interface PlatformSnapshotsTable extends StageKey {
  /** Counted up by the database; children are keyed by account and this. */
  snapshot_id: Generated<number>;
  state: "uploading" | "committed";
  /** The counts marker as uploaded (JSON text); null while uploading. */
  counts: string | null;
  committed_ms: number | null;
  /** When attribute data may no longer be read, ms since 1970. */
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

/** One combination of the filterable values that occurs in a snapshot. */
export interface PlatformFacetsTable extends SnapshotPart {
  facet: number;
  /** SHA-256 of the combination: module paths can be longer than an index entry may be. */
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
  /** The address before, of a resource that the plan moves. */
  previous_address: string | null;
  detail_bytes: number;
}

export interface PlatformDetailsTable extends SnapshotPart {
  run: number;
  position: number;
  /** JSON text of attributes, changes and sensitive_attributes. */
  detail: string;
}

export interface PlatformCostsTable extends StageKey {
  /** JSON text as sent: amounts stay the decimal texts they were. */
  cost: string | null;
  modules: string | null;
}

export interface PlatformSettingsTable extends ProjectKey {
  /** Plan and state data may not be pushed. */
  disabled: boolean;
}

export interface TokensTable {
  id: string;
  account: string;
  purpose: "api" | "import" | "notify";
  repository_id: number | null;
  org: string | null;
  project: string | null;
  /** SHA-256 in hex of the secret part. */
  secret_hash: string;
  created_ms: number;
  last_used_ms: number | null;
  revoked_ms: number | null;
}

/** The tables of the embedded platform; rows are keyed by account id. */
export interface PlatformTables
  extends ImportTables,
    FlagTables,
    SettingsTables,
    UnitMetricTables,
    WebhookTables,
    AnomalyTables,
    GovernanceTables,
    RecommendationTables {
  platform_project_owners: PlatformProjectOwnersTable;
  platform_executions: PlatformExecutionsTable;
  platform_audit_events: PlatformAuditEventsTable;
  platform_commits: PlatformCommitsTable;
  platform_snapshots: PlatformSnapshotsTable;
  platform_pages: PlatformPagesTable;
  platform_runs: PlatformRunsTable;
  platform_facets: PlatformFacetsTable;
  platform_rows: PlatformRowsTable;
  platform_details: PlatformDetailsTable;
  platform_costs: PlatformCostsTable;
  platform_settings: PlatformSettingsTable;
  tokens: TokensTable;
}
