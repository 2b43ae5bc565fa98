import type { Decimal } from "../../kernel/money.ts";
import type { Report } from "../../report/model/report.ts";
import type { EvaluationContext, StageNames } from "../model/context.ts";
import type { UndecidedReason } from "../model/finding.ts";
import type { Limit, Per, Scope } from "../model/policy.ts";
import type { ConditionRun } from "../when/condition-run.ts";

/** What a rule reads about one subject before any limit is known. `rough` is the same as a double, to compare quickly. */
export type SubjectValue =
  | { readonly kind: "money"; readonly amount: Decimal; readonly currency: string; readonly rough: number }
  | { readonly kind: "percent"; readonly before: Decimal; readonly change: Decimal; readonly rough: number }
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "condition"; readonly holds: boolean; readonly count: number | null };

/** One subject as a rule sees it: its value, or why there is none to rely on. */
export interface Measurement {
  /** Null: the whole pull request, or it is not known what. */
  readonly subject: string | null;
  /** Null: the rule is undecided about this subject, and `because` says why. */
  readonly value: SubjectValue | null;
  readonly because: readonly UndecidedReason[];
  /** False: the pull request does not raise the value, so that being above a limit only warns. */
  readonly raises?: false;
  /** Addresses and names of what is counted or found; absent: single things cannot be told, or there is nothing to tell. */
  readonly items?: readonly string[];
}

type LimitOf<Some extends Limit, Kind> = Some extends { readonly kind: infer Kinds }
  ? Kind extends Kinds
    ? Some
    : never
  : never;

/** How a rule looks at a report. */
export interface MeasureInput<Kind extends Limit["kind"] = Limit["kind"]> {
  readonly per: Per;
  readonly limit: LimitOf<Limit, Kind>;
  /** The rule's scope, which the report was narrowed to before. */
  readonly scope: Scope | null;
  readonly context: EvaluationContext;
  readonly names: StageNames;
  readonly conditions: ConditionRun;
}

/** One kind of limit: what it can look at one by one, and what it reads there. */
export interface RuleKind<Kind extends Limit["kind"] = Limit["kind"]> {
  readonly pers: readonly Per[];
  /** Parts of a stage that its scope can name; a stage and a workspace always can be. */
  readonly parts: readonly ("modules" | "types")[];
  read(report: Report, look: MeasureInput<Kind>): readonly Measurement[];
}
