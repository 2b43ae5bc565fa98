import type { Decimal } from "../../kernel/money.ts";
import type { Report } from "../../report/report.ts";
import type { Undecided } from "../finding.ts";
import type { Per } from "../policy.ts";

/** What a rule reads about one subject before any limit is known. `rough` is the same as a double, to compare quickly. */
export type Value =
  | { readonly kind: "money"; readonly amount: Decimal; readonly currency: string; readonly rough: number }
  | { readonly kind: "percent"; readonly previous: Decimal; readonly change: Decimal; readonly rough: number }
  | { readonly kind: "count"; readonly count: number };

/** One subject as a rule sees it: its value, or why there is none to rely on. */
export interface Reading {
  /** Null: the whole pull request, or it is not known what. */
  readonly subject: string | null;
  /** Null: the rule is undecided about this subject, and `because` says why. */
  readonly value: Value | null;
  readonly because: readonly Undecided[];
}

/** One kind of limit: what it can look at one by one, and what it reads there. */
export interface RuleKind {
  readonly pers: readonly Per[];
  read(report: Report, per: Per): readonly Reading[];
}
