import type { CostChangeBody } from "../../platform/contract/cost-changes.ts";

/** A cost change without the ids of the stage run that it will belong to. */
export type Estimate = Omit<CostChangeBody, "stage_execution_id" | "stage_id" | "workspace_id">;

/** What an estimate file says about one stage: one of its projects, all of them together, or what it lists nowhere. */
export interface EstimateStage {
  /** No other stage of the same file is called so. */
  readonly label: string;
  /** False for what the file counts and lists in none of its projects. */
  readonly isProject: boolean;
  /** Where the project's code or plan is, as the estimator was told. */
  readonly paths: readonly string[];
  /** Resources of the supported clouds that the estimator saw, priced or not; null: it does not say. */
  readonly detected: number | null;
  readonly cost: Estimate;
  /** Per module path (`web.db`, `root`); null when the file does not list the resources. */
  readonly modules: Readonly<Record<string, Estimate>> | null;
}

/** An Infracost JSON, read. */
export interface EstimateFile {
  /** One stage per project. Where projects do not add up to the file's own totals, the last one is what is missing. */
  readonly stages: readonly EstimateStage[];
  /** The whole file as one stage, with the totals that it states. */
  readonly whole: EstimateStage;
  /** What the reader of the file should hear about it. */
  readonly notes: readonly string[];
}
