import type { Generated } from "kysely";
import type { StageKey } from "../../area/keys.ts";

export type ExecutionStatus = "none" | "success" | "failure";

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

/** The commit that an execution was performed for, with the source of the record. */
export interface PlatformCommitsTable extends StageKey {
  sha: string;
  /** `owner/name` in lower case; a label. */
  repository: string;
  /** The repository that the writing token is bound to; null: written with a token of the whole account. */
  repository_id: number | null;
  source: "audit" | "ingest";
  created_ms: number;
}

export interface PlatformCostsTable extends StageKey {
  /** JSON text as sent, which preserves the decimals; a placeholder where the text is in parts. Null: not sent. */
  cost: string | null;
  modules: string | null;
  /** SHA-256 of a text that is stored in parts, in hexadecimal. */
  cost_digest: string | null;
  modules_digest: string | null;
}

/** A part of the JSON text of a stage's large costs; it is deleted with their row of `platform_costs`. */
export interface PlatformCostPartsTable extends StageKey {
  /** SHA-256 of the whole text, in hexadecimal. */
  digest: string;
  /** From 0. */
  part: number;
  text: string;
}

/** Executions with their commits and costs; rows are keyed by account id. */
export interface ExecutionTables {
  platform_executions: PlatformExecutionsTable;
  platform_audit_events: PlatformAuditEventsTable;
  platform_commits: PlatformCommitsTable;
  platform_costs: PlatformCostsTable;
  platform_cost_parts: PlatformCostPartsTable;
}
