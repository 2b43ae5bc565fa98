import type { Glob } from "../../kernel/glob.ts";

/** Whose figures an owner's repositories may see, by GitHub's numeric ids. */
export interface PlatformGrant {
  readonly owner: number;
  /** Undefined: every repository of the owner. */
  readonly repository?: number | undefined;
  readonly org: string;
  /** Undefined: every project of the org. */
  readonly project?: string | undefined;
  /** What it may see beside projects, by the platform's ids. */
  readonly context: ContextGrant;
}

export interface ContextGrant {
  readonly perspectives: readonly string[];
  readonly cloudAccounts: readonly string[];
  readonly clouds: readonly ("CLOUD_1" | "CLOUD_2" | "CLOUD_3")[];
  readonly unitMetrics: readonly UnitMetricGrant[];
  /** Those of the perspectives whose bill is that of named workspaces. */
  readonly measured: readonly MeasuredPerspective[];
}

/** Workspaces that a figure of cost management covers. */
export interface CoveredWorkspaces {
  readonly org: string;
  /** Undefined: of every project of the org. */
  readonly project: string | undefined;
  /** Null: not stated. */
  readonly workspaces: readonly string[] | null;
}

export interface UnitMetricGrant extends CoveredWorkspaces {
  /** A cost per unit: it divides the whole cost of the workspaces by its units. */
  readonly metric: string;
}

export interface MeasuredPerspective extends CoveredWorkspaces {
  readonly perspective: string;
}

/** Pipelines that provision nothing: what they run need not be known to the platform's provisioning. */
export interface OtherPipelines {
  readonly org: string;
  /** Undefined: every project of the org. */
  readonly project: string | undefined;
  readonly matches: Glob;
}

/** What the operator decided about reading and showing; no repository can widen it. */
export interface OperatorRules {
  readonly account: string;
  /** True: without a grant a repository sees org = its owner, project = its name. */
  readonly embedded: boolean;
  readonly grants: readonly PlatformGrant[];
  readonly otherPipelines: readonly OtherPipelines[];
  readonly trustedUsers: ReadonlySet<number>;
  readonly trustedApps: ReadonlySet<number>;
  /** Hosts, with port if any, that count as the platform's in the URL of a status. */
  readonly platformHosts: readonly string[];
  readonly publicFigures: boolean;
  readonly orgPolicy: "read" | "none";
  readonly alwaysCheck: boolean;
  /** Currency of cost management's figures. */
  readonly costCurrency: string;
  /** Statuses of governance evaluations that count as passed. */
  readonly passingStatuses: ReadonlySet<string>;
  /** How long after its merge a pull request's estimate is compared with the actual cost, in ms; null: never. */
  readonly compareAfterMs: number | null;
  /** True: recommendations that an apply carried out may be marked on the platform. */
  readonly markRecommendations: boolean;
}
