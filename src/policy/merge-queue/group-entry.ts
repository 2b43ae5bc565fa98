import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { Finding } from "../model/finding.ts";

/** One pull request of a merge group with the evaluation by which it may merge. */
export interface GroupEntry {
  readonly number: number;
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly findings: readonly Finding[];
}

/** The joint outcome of a merge group beyond its single pull requests. */
export type GroupSum =
  /** Fewer than two entries plan changes: there is no sum. */
  | { readonly kind: "single" }
  | { readonly kind: "passed" }
  /** Two entries change one workspace: no plan states their joint effect. */
  | { readonly kind: "overlap"; readonly overlaps: readonly Overlap[] }
  /** Together they violate a rule, or leave one undecided. `findings`: those that block the group. */
  | { readonly kind: "exceeded"; readonly findings: readonly Finding[] };

export interface Overlap {
  readonly workspace: string;
  /** Numbers of pull requests, two at least. */
  readonly pulls: readonly number[];
}
