import type { Decimal } from "../../kernel/money.ts";
import type { Report } from "../../report/report.ts";
import type { JudgeContext, Workspace } from "../context.ts";
import type { Undecided } from "../finding.ts";
import type { Limit, Per, Scope } from "../policy.ts";
import type { ConditionRun } from "../when/condition-run.ts";

/** What a rule reads about one subject before any limit is known. `rough` is the same as a double, to compare quickly. */
export type Value =
  | { readonly kind: "money"; readonly amount: Decimal; readonly currency: string; readonly rough: number }
  | { readonly kind: "percent"; readonly previous: Decimal; readonly change: Decimal; readonly rough: number }
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "condition"; readonly holds: boolean; readonly count: number | null };

/** One subject as a rule sees it: its value, or why there is none to rely on. */
export interface Reading {
  /** Null: the whole pull request, or it is not known what. */
  readonly subject: string | null;
  /** Null: the rule is undecided about this subject, and `because` says why. */
  readonly value: Value | null;
  readonly because: readonly Undecided[];
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
export interface Look<Kind extends Limit["kind"] = Limit["kind"]> {
  readonly per: Per;
  readonly limit: LimitOf<Limit, Kind>;
  /** The rule's scope, which the report was narrowed to before. */
  readonly scope: Scope | null;
  readonly context: JudgeContext;
  readonly names: StageNames;
  readonly conditions: ConditionRun;
}

/** What stages are called: the same in the whole report and in every part of it that is looked at. */
export interface StageNames {
  /** What tells a stage of the report apart from the others. */
  labelOf(stage: Workspace): string;
  /** The name that the policy gives to a workspace, be it in the report or not. */
  nameOf(stage: Workspace): string;
}

/** One kind of limit: what it can look at one by one, and what it reads there. */
export interface RuleKind<Kind extends Limit["kind"] = Limit["kind"]> {
  readonly pers: readonly Per[];
  /** Parts of a stage that its scope can name; a stage and a workspace always can be. */
  readonly parts: readonly ("modules" | "types")[];
  read(report: Report, look: Look<Kind>): readonly Reading[];
}
