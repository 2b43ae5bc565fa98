import type { Decimal } from "../../kernel/money.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import type { ApproveSpec, Enforcement, Limit, RuleGranularity, Waiver } from "./policy.ts";

/** `not_applicable`: the rule's scope matches nothing of the pull request. It does not count as passed. */
export type FindingOutcome = "passed" | "violated" | "undecided" | "not_applicable";

/** Members of a scope that select pull requests, and those that select parts of one. */
export type PullMember = "branches" | "authors" | "labels" | "paths";
export type PartMember = "stages" | "workspaces" | "modules" | "resource_types" | "providers";

/** The member of a rule's scope that nothing of the pull request matches. Names are not escaped. */
export interface ScopeMismatch {
  readonly member: PullMember | PartMember;
  /** As the policy file has them. */
  readonly patterns: readonly string[];
  /** Names that the pull request has instead, at most 10, and the number of further names. */
  readonly here: readonly string[];
  readonly more: number;
  /** The name here that a pattern is probably a misspelling of; null: none is near. */
  readonly meant: string | null;
  /** The scope matches a workspace of the repository that this pull request does not touch: then it is no misspelling. */
  readonly elsewhere?: true;
  /** The patterns are those of `not`, and they exclude everything that the scope includes. */
  readonly excluded?: true;
}

/** Whether the rule simply applies to other pull requests or workspaces, so that the mismatch needs no attention. */
export const isOrdinary = ({ member, elsewhere, excluded }: ScopeMismatch): boolean =>
  elsewhere === true || excluded === true || ["branches", "authors", "labels", "paths"].includes(member);

/** What a rule measured: compared exactly with the rule's limit. `increase_from_zero`: a percentage has no base. */
export type MeasuredValue =
  | { readonly kind: "money"; readonly amount: Decimal; readonly currency: string }
  | { readonly kind: "percent"; readonly percent: Decimal }
  | { readonly kind: "increase_from_zero" }
  /** A condition is true. `count`: the number of matching elements; null: the condition counts nothing. */
  | { readonly kind: "condition"; readonly count: number | null }
  | { readonly kind: "count"; readonly count: number };

/** Why a rule is undecided. `other_currency`: the rule's currency is not the amount's; both are named. */
export type UndecidedReason =
  | { readonly kind: "unknown"; readonly reason: UnknownReason }
  | { readonly kind: "partial" }
  /** Usage-based resources are new or changed: their number, and some of their names. */
  | { readonly kind: "usage"; readonly count: number; readonly names: readonly string[] }
  | { readonly kind: "inconsistent" }
  /** The condition could not be evaluated. `problem`: the message of the CEL library, not escaped. */
  | { readonly kind: "condition_failed"; readonly problem: string }
  | { readonly kind: "other_currency"; readonly found: string; readonly expected: string }
  /** These facts about local files were not given, so it is unknown whether the rule applies. */
  | { readonly kind: "scope_unknown"; readonly members: readonly PullMember[] };

/** The result of one rule for one subject. Data only: templates word it. */
export interface Finding {
  readonly rule: string;
  readonly outcome: FindingOutcome;
  readonly enforce: Enforcement;
  readonly onUnknown: Enforcement;
  readonly mandatory: boolean;
  readonly limit: Limit;
  readonly per: RuleGranularity;
  /**
   * The stage, module or resource type; null for the whole pull request, or when it is unknown.
   * Of a rule that passed: the subject closest to the limit.
   */
  readonly subject: string | null;
  /** Number of further subjects of this rule with the same outcome and no finding of their own; 0 on all but the last finding. */
  readonly others: number;
  /** Null when undecided, and where there is nothing to measure. */
  readonly measured: MeasuredValue | null;
  /** True: the value exceeded the limit before, and this change does not raise it, so the violation only warns. */
  readonly alreadyAbove?: true;
  /** Empty unless undecided. */
  readonly because: readonly UndecidedReason[];
  /** Why the rule is not applicable; absent unless that is the outcome. */
  readonly mismatch?: ScopeMismatch;
  /** The rule's message for a violation, `{{count}}` filled in; null: none. Not escaped. */
  readonly message: string | null;
  /** Addresses and names of the items of the finding, where they are known: an approval covers them. Not escaped. */
  readonly items: readonly string[];
  /** The waiver that covers the violation, which then has no effect; null: none. */
  readonly waiver: Pick<Waiver, "owner" | "reason" | "untilMs"> | null;
  /** The possible approvers; null: none. */
  readonly approve: ApproveSpec | null;
  /** Approvals cover it, so it does not block. */
  readonly approved: boolean;
}

/** Whether a person may approve it. */
export const isApprovable = ({ approve }: Finding): boolean => approve !== null;

export interface Verdict {
  readonly kind: "pass" | "warn" | "block" | "undecided";
  /**
   * Worst first. A rule that passed or is not applicable has one finding; another has one for each subject that is violated or
   * undecided (at most 100 of each, then `others`).
   */
  readonly findings: readonly Finding[];
}
