import type { Glob } from "../../kernel/glob.ts";
import type { TargetRules } from "../../policy/notifications/pull-notices.ts";

/** Whose platform data an owner's repositories may see, by GitHub's numeric ids. */
export interface PlatformGrant {
  readonly owner: number;
  /** Undefined: every repository of the owner. */
  readonly repository?: number | undefined;
  readonly org: string;
  /** Undefined: every project of the org. */
  readonly project?: string | undefined;
  /** What it may see in addition to projects, by the platform's ids. */
  readonly context: ContextGrant;
}

export interface ContextGrant {
  readonly perspectives: readonly string[];
  readonly cloudAccounts: readonly string[];
  readonly clouds: readonly ("CLOUD_1" | "CLOUD_2" | "CLOUD_3")[];
  readonly unitMetrics: readonly UnitMetricGrant[];
  /** The perspectives whose bill covers named workspaces. */
  readonly measuredPerspectives: readonly MeasuredPerspective[];
}

/** Workspaces that an amount of cost management covers. */
export interface CoveredWorkspaces {
  readonly org: string;
  /** Undefined: of every project of the org. */
  readonly project: string | undefined;
  /** Null: not stated. */
  readonly workspaces: readonly string[] | null;
}

export interface UnitMetricGrant extends CoveredWorkspaces {
  /** The metric's id. The metric is a cost per unit: the whole cost of the workspaces divided by the units. */
  readonly metric: string;
}

export interface MeasuredPerspective extends CoveredWorkspaces {
  readonly perspective: string;
}

/** Pipelines that provision nothing: the platform's provisioning need not list their executions. */
export interface OtherPipelines {
  readonly org: string;
  /** Undefined: every project of the org. */
  readonly project: string | undefined;
  readonly isMatch: Glob;
}

/** The operator's rules for reading and showing; no repository can widen them. */
export interface OperatorRules {
  readonly account: string;
  /** True: without a grant, a repository may see the project with org = its owner and project = its name. */
  readonly embedded: boolean;
  readonly grants: readonly PlatformGrant[];
  readonly otherPipelines: readonly OtherPipelines[];
  readonly trustedUsers: ReadonlySet<number>;
  readonly trustedApps: ReadonlySet<number>;
  /** Hosts, with port if any, that count as the platform's in the URL of a status. */
  readonly platformHosts: readonly string[];
  readonly publicFigures: boolean;
  readonly orgPolicy: (owner: string) => "read" | "none";
  readonly alwaysCheck: boolean;
  /** Currency of cost management's amounts (ISO 4217). */
  readonly costCurrency: string;
  /** The platform's page of cost anomalies; null: it has no pages. */
  readonly anomaliesPage: string | null;
  /** Statuses of governance evaluations that count as passed. */
  readonly passingStatuses: ReadonlySet<string>;
  /** The day on which fiscal years start, as `MM-DD`. */
  readonly fiscalYearStarts: string;
  /** Time between a merge and the comparison of its estimate with the actual cost, in ms; null: never. */
  readonly compareAfterMs: number | null;
  /** True: recommendations that an applied execution carried out may be marked on the platform. */
  readonly markRecommendations: boolean;
  /** True: open anomalies that an allowed and applied increase explains may be marked as expected on the platform. */
  readonly markExpectedAnomalies: boolean;
  /** Who may be notified of what; empty: nobody. */
  readonly targets: readonly TargetRules[];
}
