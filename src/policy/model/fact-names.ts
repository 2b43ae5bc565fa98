/** Facts that an expression may depend on. An unknown one makes its rule undecided. */
export const FACT_NAMES = [
  /** Which stages there are. */
  "stages",
  /** Amounts of the pull request and of its stages. */
  "cost",
  /** The cost before and after, not only the change. */
  "totals",
  /** That there is one currency. */
  "currency",
  "modules",
  /** Amounts of single resources. */
  "resources",
  /** Numbers of planned changes and of drift. */
  "counts",
  /** How many resources do not change. */
  "unchanged",
  /** Every single planned change and drifted resource. */
  "rows",
  /** Every action that the plans invoke. */
  "invocations",
  "unpriced",
  /** Which resources are usage-based. */
  "usage",
  /** Each of them by name. */
  "usage_resources",
  /** Paths that GitHub lists. */
  "paths",
  "author",
  "labels",
  "savings",
  "anomalies",
  "governance",
  "unit_costs",
  "governance_prompts",
  /** How much of each stage's change undoes or absorbs drift. */
  "drift",
  /** The cost of ephemeral stages per lifetime. */
  "lifetimes",
] as const;
export type FactName = (typeof FACT_NAMES)[number];
