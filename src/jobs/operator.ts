/** Whose figures an owner's repositories may see, by GitHub's numeric ids. */
export interface PlatformGrant {
  readonly owner: number;
  /** Undefined: every repository of the owner. */
  readonly repository?: number | undefined;
  readonly org: string;
  /** Undefined: every project of the org. */
  readonly project?: string | undefined;
}

/** What the operator decided about reading and showing; no repository can widen it. */
export interface OperatorRules {
  readonly account: string;
  /** True: without a grant a repository sees org = its owner, project = its name. */
  readonly embedded: boolean;
  readonly grants: readonly PlatformGrant[];
  readonly trustedUsers: ReadonlySet<number>;
  readonly trustedApps: ReadonlySet<number>;
  /** Hosts, with port if any, that count as the platform's in the URL of a status. */
  readonly platformHosts: readonly string[];
  readonly publicFigures: boolean;
  readonly orgPolicy: "read" | "none";
  readonly alwaysCheck: boolean;
}
