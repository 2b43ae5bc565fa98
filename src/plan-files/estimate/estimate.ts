import type { CostChangeBody } from "../../platform/contract/cost-changes.ts";
import type { PlanSnapshot } from "../plan/snapshot.ts";

/** A cost change without the ids of the stage that it will belong to. */
export type Estimate = Omit<CostChangeBody, "stage_execution_id" | "stage_id" | "workspace_id">;

/**
 * The estimate of one stage: one project of the file, all of its projects, or the part of the totals that no
 * project lists.
 */
export interface EstimateStage {
  /** Unique within the file. */
  readonly label: string;
  /** False for the part of the totals that no project lists. */
  readonly isProject: boolean;
  /** Paths of the project's code or plan, as passed to the estimator. */
  readonly paths: readonly string[];
  /**
   * Number of resources of the supported clouds that the estimator detected, priced or not; null: not stated.
   */
  readonly detected: number | null;
  /** What the estimate saw, to be compared with the plan of the same code. */
  readonly seen: SeenResources;
  readonly cost: Estimate;
  /** The commit at which the estimate was made; null: not stated. */
  readonly commit: string | null;
  /** The same stage as it is with the plan of the same code: see `reconcileWithPlan`. */
  withPlan(plan: PlanSnapshot): EstimateStage;
  /** Estimates by module path (`web.db`, `root`); null: the file does not list the resources. */
  readonly modules: Readonly<Record<string, Estimate>> | null;
}

/**
 * The resources of an estimate by address, as written there. A part counts for its resource: where it has an
 * address of its own, e.g. the launch template of a group of machines, the estimator counts that one as free too.
 */
export interface SeenResources {
  /** Those with a price before; null: there is no before, or it is not listed. */
  readonly past: ReadonlySet<string> | null;
  /** Those with a price, and the listed free ones; null: they are not listed. */
  readonly present: ReadonlySet<string> | null;
  /**
   * Managed resources that cost something, parts not included, and whether that stays the same; null: of
   * several projects, of which one is the plan's.
   */
  readonly priced: ReadonlyMap<string, boolean> | null;
  /** Addresses that several projects have. */
  readonly repeated: ReadonlySet<string>;
  /** Types of which a resource has a price, before or after. */
  readonly pricedTypes: ReadonlySet<string>;
  /** Number of resources per type without a price that are not in `present`; null: not stated. */
  readonly unlisted: Readonly<Record<string, number>> | null;
  /** True: the estimator reported an error or a warning. */
  readonly hasWarnings: boolean;
  /** False: the file does not say by which command it was made, so its past may be no past. */
  readonly isComparisonStated: boolean;
}

export interface EstimateFile {
  /**
   * One stage per project. When the projects do not add up to the file's totals, the last stage is the
   * difference.
   */
  readonly stages: readonly EstimateStage[];
  /** The whole file as one stage, with its stated totals. */
  readonly whole: EstimateStage;
  readonly notes: readonly string[];
}
