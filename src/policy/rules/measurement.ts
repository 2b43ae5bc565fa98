import type { Decimal } from "../../kernel/money.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import type { AttributesByRow } from "../../report/model/resource-attributes.ts";
import type { EvaluationContext, StageNames } from "../model/context.ts";
import type { CostDriver, TagProblem, UndecidedReason } from "../model/finding.ts";
import type { Limit, Policy, RuleGranularity, Scope } from "../model/policy.ts";
import type { ConditionRun } from "../when/condition-run.ts";

/** One kind of limit. */
export interface RuleKind<Kind extends Limit["kind"] = Limit["kind"]> {
  /** The allowed value, in words; null: it is no member of `limit`. */
  readonly words: string | null;
  /** What the limit and a waiver of it state. */
  readonly unit: "money" | "percent" | "count" | "condition" | "unit-cost";
  /** The values of `per` that it allows. */
  readonly granularities: readonly RuleGranularity[];
  /** Parts of a stage that its scope can name, beside stages and workspaces. */
  readonly parts: readonly ("modules" | "types" | "tags")[];
  /** It distinguishes new resources from existing ones. */
  readonly takesExisting?: true;
  measure(report: Report, input: MeasureInput<Kind>): readonly Measurement[];
}

/** The inputs of a measurement. */
export interface MeasureInput<Kind extends Limit["kind"] = Limit["kind"]> {
  readonly per: RuleGranularity;
  /** The key of the tag where `per` is `tag`. */
  readonly perTag?: string;
  readonly limit: LimitOfKind<Limit, Kind>;
  /** The rule's scope; the report is already narrowed to it. */
  readonly scope: Scope | null;
  readonly context: EvaluationContext;
  /** Of the rows of the report. */
  readonly attributes: Fact<AttributesByRow>;
  readonly tags: Policy["tags"];
  readonly names: StageNames;
  readonly conditions: ConditionRun;
}

type LimitOfKind<Some extends Limit, Kind> = Some extends { readonly kind: infer Kinds }
  ? Kind extends Kinds
    ? Some
    : never
  : never;

/** The measurement of one subject: its value, or why no reliable value exists. */
export interface Measurement {
  /** Null: the whole pull request, or an unknown subject. */
  readonly subject: string | null;
  /** Null: the rule is undecided about this subject, and `because` says why. */
  readonly value: SubjectValue | null;
  readonly because: readonly UndecidedReason[];
  /** False: the pull request does not raise the value, so exceeding the limit only warns. */
  readonly isRaised?: false;
  /** Addresses and names of the counted items; absent: the single items are unknown, or there are none. */
  readonly items?: readonly string[];
  /** What is wrong with the tags of these items. */
  readonly tagProblems?: readonly TagProblem[];
  /** See `Finding`. */
  readonly drivers?: readonly CostDriver[];
}

/** The measured value of one subject, independent of a limit. */
export type SubjectValue =
  | { readonly kind: "money"; readonly amount: Decimal; readonly currency: string }
  | { readonly kind: "percent"; readonly before: Decimal; readonly change: Decimal }
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "condition"; readonly isTrue: boolean; readonly count: number | null };

/** The measurement of a rule that is undecided about the whole pull request, or about subjects that are unknown. */
export const createUndecided = (because: readonly UndecidedReason[]): Measurement => ({
  subject: null,
  value: null,
  because,
});
