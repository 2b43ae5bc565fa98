import type { ColumnType, Generated } from "kysely";
import type { ApprovalTables } from "./approvals/tables.ts";
import type { PlatformTables } from "./platform-tables.ts";

/** jsonb: read as a parsed value, always written as JSON text (a JavaScript array would become a PostgreSQL array on one engine). */
export type Json<T> = ColumnType<T, string, string>;
/** timestamptz: a Date when read; a Date or ISO text when written. */
export type Time = ColumnType<Date, Date | string, Date | string>;

export interface InstallationsTable {
  installation_id: number;
  owner_id: number;
  owner_login: string;
  owner_type: "User" | "Organization";
  /** `all`: the installation demonstrably covers every repository of its owner. */
  repository_selection: "all" | "selected";
  suspended: boolean;
  updated_at: Time;
}

export interface RepositoriesTable {
  repository_id: number;
  installation_id: number;
  /** Null until the repository itself was read. */
  owner_id: number | null;
  /** Labels: the newest names seen, never keys. */
  owner_login: string;
  name: string;
  /** When its open pull requests were last listed; null: never. */
  listed_at: Time | null;
  updated_at: Time;
}

export interface PullsTable {
  repository_id: number;
  number: number;
  head_sha: string;
  /** GitHub's test merge of head and base; null while GitHub computes it. */
  merge_sha: string | null;
  base_ref: string;
  /** Head that a delivery named and no read has shown yet; null: none. */
  announced_sha: string | null;
  state: "open" | "closed";
  /** When this head was first seen: where deadlines start. */
  head_seen_at: Time;
  /** When the sweep last woke it; null: never. */
  swept_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  updated_at: Time;
}

export interface LanesTable {
  /** See `laneKey` in jobs. */
  lane: string;
  /** Grows with each run; a run whose token is no longer the newest writes nothing. */
  token: number;
  started_at: Time;
}

export interface BindingsTable {
  repository_id: number;
  head_sha: string;
  org: string;
  project: string;
  pipeline_execution_id: string;
  source: "audit" | "notification";
  created_at: Time;
}

export interface FactsTable {
  account: string;
  org: string;
  project: string;
  pipeline_execution_id: string;
  /** Digest of the stages that the execution had: a stage added later makes the row another one. */
  stages: string;
  facts: Json<unknown>;
  created_at: Time;
}

export interface ReadAttemptsTable {
  repository_id: number;
  head_sha: string;
  org: string;
  project: string;
  pipeline_execution_id: string;
  attempts: number;
  first_at: Time;
}

export interface EvaluationsTable {
  repository_id: number;
  number: number;
  head_sha: string;
  base_ref: string;
  check_name: string;
  /** Digest of head, base branch, policy blobs and facts: the check's `external_id`. */
  digest: string;
  /** `completed:success`, `in_progress`, …: what this pull request asks its check to be. */
  decision: string;
  policy_blobs: string;
  /** Whether GitHub is known to show it. */
  settled: boolean;
  evaluation: Json<unknown>;
  created_at: Time;
}

export interface CheckRunsTable {
  repository_id: number;
  head_sha: string;
  name: string;
  /** Null: claimed, not created yet. */
  check_run_id: number | null;
  /** Digest of what GitHub shows now; empty: not known. */
  digest: string;
  completed: boolean;
  /** Grows with each write of a contribution, so that a writer sees that it was overtaken. */
  version: number;
  updated_at: Time;
}

export interface CommentsTable {
  repository_id: number;
  number: number;
  comment_id: number;
  digest: string;
  updated_at: Time;
}

export interface PolicySeenTable {
  repository_id: number;
  base_ref: string;
  which: "repository" | "organisation";
  blob: string;
  updated_at: Time;
}

export interface MergeGroupsTable {
  repository_id: number;
  head_sha: string;
  head_ref: string;
  base_ref: string;
  base_sha: string;
  created_at: Time;
}

export interface RecordedEventsTable {
  delivery_id: string;
  repository_id: number;
  number: number;
  kind: string;
  event: Json<unknown>;
  created_at: Time;
}

export interface DecisionsTable {
  seq: number;
  at: Time;
  repository_id: number;
  number: number;
  head_sha: string;
  /** Of the record, to find it by; rows from before it existed are verdicts. */
  kind: Generated<string>;
  /** The exact JSON text that was hashed. */
  record: string;
  previous_hash: string;
  hash: string;
}

export interface DecisionHeadTable {
  id: number;
  seq: number;
  hash: string;
}

/** What a workspace costs per month as its base branch has it; nulls: it is not known. */
export interface WorkspaceCostsTable {
  repository_id: number;
  org: string;
  project: string;
  workspace: string;
  currency: string | null;
  amount: string | null;
  /** When the plan that says so was made, or the pull request that brought it was merged. */
  known_at: Time;
  /** What it cost before the pull request that brought it; null: the amount is what a plan found. */
  merged_from: string | null;
}

/** What an open pull request that may be merged adds to a workspace; nulls: it is not known. */
export interface BudgetClaimsTable {
  repository_id: number;
  org: string;
  project: string;
  workspace: string;
  number: number;
  currency: string | null;
  amount: string | null;
}

/** Pull requests whose newest evaluation was held against a budget. */
export interface BudgetPullsTable {
  repository_id: number;
  number: number;
}

export interface BudgetVersionsTable {
  repository_id: number;
  /** Grows with each change of what counts towards the repository's budgets. */
  version: number;
}

export interface MergedPullsTable {
  repository_id: number;
  number: number;
  merge_sha: string | null;
  base_ref: string;
  merged_at: Time;
  /** When its estimate is to be compared with what came of it; null: never. */
  compare_at: Time | null;
  /** When that was done; null: not yet. */
  compared_at: Time | null;
}

/** What a merged pull request said about one workspace: nulls where it was not known. */
export interface MergedStagesTable {
  repository_id: number;
  org: string;
  project: string;
  workspace: string;
  number: number;
  currency: string | null;
  previous: string | null;
  current: string | null;
  change: string | null;
  planned_at: Time;
  merged_at: Time;
}

export interface Tables extends PlatformTables, ApprovalTables {
  installations: InstallationsTable;
  repositories: RepositoriesTable;
  pulls: PullsTable;
  lanes: LanesTable;
  bindings: BindingsTable;
  facts: FactsTable;
  read_attempts: ReadAttemptsTable;
  evaluations: EvaluationsTable;
  check_runs: CheckRunsTable;
  comments: CommentsTable;
  policy_seen: PolicySeenTable;
  merge_groups: MergeGroupsTable;
  recorded_events: RecordedEventsTable;
  decisions: DecisionsTable;
  decision_head: DecisionHeadTable;
  workspace_costs: WorkspaceCostsTable;
  budget_claims: BudgetClaimsTable;
  budget_pulls: BudgetPullsTable;
  budget_versions: BudgetVersionsTable;
  merged_pulls: MergedPullsTable;
  merged_stages: MergedStagesTable;
}
