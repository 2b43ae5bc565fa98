/** Facts that an expression may rest on. One that is not known makes its rule undecided. */
export const FACT_NAMES = [
  /** Which stages there are. */
  "stages",
  /** Amounts of the pull request and of its stages. */
  "cost",
  /** What is paid before and after, and not just what changes. */
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
  "unpriced",
  /** Which resources have a price that depends on usage that nobody stated. */
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
  /** What stages cost that are destroyed again by themselves. */
  "lifetimes",
] as const;
export type FactName = (typeof FACT_NAMES)[number];
