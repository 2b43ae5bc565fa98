import type { Time } from "./columns.ts";

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
  before: string | null;
  after: string | null;
  change: string | null;
  planned_at: Time;
  merged_at: Time;
}

/** A recommendation that an applied run of a merged pull request carried out. */
export interface AppliedRecommendationsTable {
  repository_id: number;
  number: number;
  recommendation_id: string;
  org: string;
  project: string;
  pipeline_execution_id: string;
  pipeline_stage_id: string;
  /** Per month. */
  savings: string;
  /** `found`, then `audited` when the run names the commit, then `marked` or `refused` by the platform. */
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
