/** Facts that an expression may rest on. One that is not known makes its rule undecided. */
export const FACT_NAMES = [
  /** Amounts of the pull request and of its stages. */
  "cost",
  "modules",
  /** Amounts of single resources. */
  "resources",
  /** Numbers of planned changes and of drift. */
  "counts",
  /** Every single planned change and drifted resource. */
  "rows",
  "unpriced",
  /** Paths that GitHub lists. */
  "paths",
  "savings",
  "anomalies",
  "governance",
  "unit_costs",
] as const;
export type FactName = (typeof FACT_NAMES)[number];
