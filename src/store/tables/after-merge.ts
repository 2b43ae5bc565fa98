import type { ColumnType } from "kysely";
import type { Time } from "./columns.ts";

/** The monthly cost of a workspace on its base branch; null: unknown. */
export interface WorkspaceCostsTable {
  repository_id: number;
  org: string;
  project: string;
  workspace: string;
  currency: string | null;
  amount: string | null;
  /** When the plan that states the cost was made, or when the pull request that changed it was merged. */
  known_at: Time;
  /** The monthly cost before the merged pull request; null: the amount comes from a plan. */
  merged_from: string | null;
}

/** The monthly change to a workspace by an open pull request that may be merged; null: unknown. */
export interface BudgetClaimsTable {
  repository_id: number;
  org: string;
  project: string;
  workspace: string;
  number: number;
  currency: string | null;
  amount: string | null;
}

/** Pull requests whose newest evaluation was checked against a budget. */
export interface BudgetPullsTable {
  repository_id: number;
  number: number;
}

export interface BudgetVersionsTable {
  repository_id: number;
  /** Increments with each change of the amounts that count towards the repository's budgets. */
  version: number;
}

export interface MergedPullsTable {
  repository_id: number;
  number: number;
  merge_sha: string | null;
  base_ref: string;
  merged_at: Time;
  /** When the estimate is to be compared with the applied result; null: never. */
  compare_at: Time | null;
  /** When the comparison was done; null: not yet. */
  compared_at: Time | null;
}

/** The cost that a merged pull request stated for one workspace; null: unknown. */
export interface MergedStagesTable {
  repository_id: number;
  org: string;
  project: string;
  workspace: string;
  number: number;
  /** The stage's name in the policy at that time; null: not recorded. */
  stage: ColumnType<string | null, string | null | undefined, string | null>;
  currency: string | null;
  before: string | null;
  after: string | null;
  change: string | null;
  planned_at: Time;
  merged_at: Time;
}

/** A recommendation that an applied execution of a merged pull request carried out. */
export interface AppliedRecommendationsTable {
  repository_id: number;
  number: number;
  recommendation_id: string;
  org: string;
  project: string;
  pipeline_execution_id: string;
  pipeline_stage_id: string;
  /** Savings per month. */
  savings: string;
  /** Null: not recorded. */
  currency: ColumnType<string | null, string | null | undefined, string | null>;
  /**
   * `found`; then `audited` when the execution names the commit; then `marked` or `refused` by the platform.
   */
  state: "found" | "audited" | "marked" | "refused";
  updated_at: Time;
}

export interface AfterMergeTables {
  applied_recommendations: AppliedRecommendationsTable;
  workspace_costs: WorkspaceCostsTable;
  budget_claims: BudgetClaimsTable;
  budget_pulls: BudgetPullsTable;
  budget_versions: BudgetVersionsTable;
  merged_pulls: MergedPullsTable;
  merged_stages: MergedStagesTable;
}
