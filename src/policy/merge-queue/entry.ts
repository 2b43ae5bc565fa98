import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext } from "../model/context.ts";
import type { Finding } from "../model/finding.ts";

/** One pull request of a merge group as it was judged by itself, and let through. */
export interface GroupEntry {
  readonly number: number;
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly findings: readonly Finding[];
}

/** What a group comes to beyond its single pull requests. */
export type GroupSum =
  /** Fewer than two of them plan anything: there is no sum. */
  | { readonly kind: "single" }
  | { readonly kind: "held" }
  /** Two of them change one workspace: what they come to together, no plan has told. */
  | { readonly kind: "overlap"; readonly overlaps: readonly Overlap[] }
  /** Together they break a rule, or leave one undecided. `findings`: those that hold the group. */
  | { readonly kind: "exceeded"; readonly findings: readonly Finding[] };

export interface Overlap {
  readonly workspace: string;
  /** Numbers of pull requests, two at least. */
  readonly pulls: readonly number[];
}
