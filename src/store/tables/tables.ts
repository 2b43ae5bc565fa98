import type { ColumnType, Generated } from "kysely";
import type { AfterMergeTables } from "./after-merge.ts";
import type { ApprovalTables } from "./approvals.ts";
import type { Json, Time } from "./columns.ts";
import type { CommentTables } from "./comments.ts";
import type { DecisionTables } from "./decisions.ts";
import type { EvaluationResult, HistoryTables } from "./history.ts";
import type { NotificationTables } from "./notifications.ts";
import type { OverrideTables } from "./overrides.ts";
import type { PlatformProjectOwnersTable } from "./project-owners.ts";
import type { ReplicaTables } from "./replicas.ts";
import type { SessionsTable } from "./sessions.ts";
import type { TokensTable } from "./tokens.ts";

export interface InstallationsTable {
  installation_id: number;
  owner_id: number;
  owner_login: string;
  owner_type: "User" | "Organization";
  /** `all`: the installation demonstrably covers every repository of its owner. */
  repository_selection: "all" | "selected";
  suspended: boolean;
  /** When its repositories were listed. */
  updated_at: Time;
}

export interface RepositoriesTable {
  repository_id: number;
  installation_id: number;
  /** Null until the repository itself is read. */
  owner_id: number | null;
  /** Labels: the newest names seen, never keys. */
  owner_login: string;
  name: string;
  /** When its open pull requests were last listed; null: never. */
  listed_at: Time | null;
  /** Whether its readers may see figures, as last read; null: never read. */
  figures: ColumnType<boolean | null, boolean | null | undefined, boolean>;
  updated_at: Time;
}

/** What pages show of a pull request. Null: never read. Names are labels. */
export interface PullLabels {
  title: MaybeNull<string>;
  author_id: MaybeNull<number>;
  author_login: MaybeNull<string>;
  is_draft: MaybeNull<boolean>;
  opened_at: MaybeNull<Date>;
  /** Null also: it is open. */
  closed_at: MaybeNull<Date>;
  /** Null also: it is not merged. */
  merged_at: MaybeNull<Date>;
  merged_by_id: MaybeNull<number>;
  merged_by_login: MaybeNull<string>;
}

/** A column that statements may leave out. */
type MaybeNull<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface PullsTable extends PullLabels {
  repository_id: number;
  number: number;
  head_sha: string;
  /** GitHub's test merge of head and base; null while GitHub computes it. */
  merge_sha: string | null;
  base_ref: string;
  /** Head that a delivery named and no read has returned yet; null: none. */
  announced_sha: string | null;
  state: "open" | "closed";
  /** When this head was first seen: deadlines start at this time. */
  head_seen_at: Time;
  /** When the sweep last enqueued it; null: never. */
  swept_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  updated_at: Time;
}

export interface LanesTable {
  /** See `formatLaneKey` in jobs. */
  lane: string;
  /** Increments with each run; a run writes nothing when its token is no longer the newest. */
  token: number;
  started_at: Time;
  /** Whether the newest run of a comment lane has not ended. */
  is_open: ColumnType<boolean, boolean | undefined, boolean>;
  /** When a request of a comment lane was last given up without an answer, by the database's clock; null: what such requests did is known. */
  unanswered_at: ColumnType<Date | null, undefined, Date | null>;
}

export interface BindingsTable {
  repository_id: number;
  head_sha: string;
  org: string;
  project: string;
  pipeline_execution_id: string;
  source: "audit" | "notification" | "status" | "check";
  /** The account that posted the status, or the check's App; null: of another source. */
  poster_id: number | null;
  created_at: Time;
}

export interface FactsTable {
  account: string;
  org: string;
  project: string;
  pipeline_execution_id: string;
  /** Digest of the execution's stages: an execution with an added stage gets a new row. */
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

export interface EvaluationsTable extends EvaluationResult {
  repository_id: number;
  number: number;
  head_sha: string;
  base_ref: string;
  check_name: string;
  /** Digest of head, base branch, policy blobs and facts: the check's `external_id`. */
  digest: string;
  /** `success`, `in_progress`, …: the check that this pull request requires. */
  decision: string;
  policy_blobs: string;
  /** Whether GitHub is known to show it. */
  settled: boolean;
  evaluation: Json<unknown>;
  /** When it was last evaluated to this result. */
  created_at: Time;
}

export interface CheckRunsTable {
  repository_id: number;
  head_sha: string;
  name: string;
  /** Null: the row is reserved, and the check run is not created yet. */
  check_run_id: number | null;
  /** Digest of the check that GitHub shows; empty: unknown. */
  digest: string;
  completed: boolean;
  /** Increments with each turn, for versions before 0032. */
  version: number;
  updated_at: Time;
  /** Lane and token of the run that writes the check now, `lane#token`; null: none does. */
  writer: Generated<string | null>;
  writing_since: ColumnType<Date | null, Date | undefined, Date | null>;
  /** Whether a writer ended without a result, since the newest known one. */
  is_interrupted: Generated<boolean>;
  /** When a request was last given up without an answer, by the database's clock; null: what such requests did is known. */
  unanswered_at: ColumnType<Date | null, Date | undefined, Date | null>;
  /** The base branches that the check was about. Earlier versions than 0036 add none. */
  base_refs: Generated<string[]>;
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

export interface Tables
  extends ApprovalTables,
    AfterMergeTables,
    DecisionTables,
    CommentTables,
    HistoryTables,
    NotificationTables,
    OverrideTables,
    ReplicaTables {
  installations: InstallationsTable;
  repositories: RepositoriesTable;
  pulls: PullsTable;
  lanes: LanesTable;
  bindings: BindingsTable;
  facts: FactsTable;
  read_attempts: ReadAttemptsTable;
  evaluations: EvaluationsTable;
  check_runs: CheckRunsTable;
  policy_seen: PolicySeenTable;
  merge_groups: MergeGroupsTable;
  tokens: TokensTable;
  sessions: SessionsTable;
  platform_project_owners: PlatformProjectOwnersTable;
}
