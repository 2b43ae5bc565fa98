import type { Decimal } from "../../kernel/money.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import type { ApproveSpec, Enforce, Limit, Per, Waiver } from "./policy.ts";

/** `not_applicable`: the rule's scope matches nothing of the pull request, so there is nothing to judge. It does not count as met. */
export type FindingOutcome = "passed" | "violated" | "undecided" | "not_applicable";

/** Members of a scope that say which pull requests a rule is for, and those that say which parts of one. */
export type PullMember = "branches" | "authors" | "labels" | "paths";
export type PartMember = "stages" | "workspaces" | "modules" | "resource_types" | "providers";

/** The member of a rule's scope that nothing of the pull request matches. Names are not escaped. */
export interface ScopeMismatch {
  readonly member: PullMember | PartMember;
  /** As the policy file has them. */
  readonly patterns: readonly string[];
  /** Names that the pull request has instead, at most 10 of them, and how many more there are. */
  readonly here: readonly string[];
  readonly more: number;
  /** The name here that a pattern is probably a misspelling of; null: none is near. */
  readonly meant: string | null;
  /** The scope matches a workspace of the repository that this pull request does not touch: then it is no misspelling. */
  readonly elsewhere?: true;
  /** The patterns are those of `not`, and all that the scope names is left out by them. */
  readonly excluded?: true;
}

/** Whether the rule is simply about other pull requests, or other workspaces, than this one: nobody has to look at it. */
export const isOrdinary = ({ member, elsewhere, excluded }: ScopeMismatch): boolean =>
  elsewhere === true || excluded === true || ["branches", "authors", "labels", "paths"].includes(member);

/** What a rule measured: compared exactly with the rule's limit. `increase_from_zero`: a percentage has no base. */
export type MeasuredValue =
  | { readonly kind: "money"; readonly amount: Decimal; readonly currency: string }
  | { readonly kind: "percent"; readonly percent: Decimal }
  | { readonly kind: "increase_from_zero" }
  /** A condition holds, and so many things make it so; null: it looks for nothing that could be counted. */
  | { readonly kind: "condition"; readonly count: number | null }
  | { readonly kind: "count"; readonly count: number };

/** Why a rule could not be judged. `other_currency`: the rule's currency is not the amount's; both are named. */
export type UndecidedReason =
  | { readonly kind: "unknown"; readonly reason: UnknownReason }
  | { readonly kind: "partial" }
  /** Resources are new or changed whose price depends on usage that nobody stated: so many, some of them by name. */
  | { readonly kind: "usage"; readonly count: number; readonly names: readonly string[] }
  | { readonly kind: "inconsistent" }
  /** The condition could not be run to its end. `problem`: the language's words, not escaped. */
  | { readonly kind: "condition_failed"; readonly problem: string }
  | { readonly kind: "other_currency"; readonly found: string; readonly expected: string }
  /** Nobody said of these whether the rule is for this pull request: of local files, what was not named. */
  | { readonly kind: "scope_unknown"; readonly members: readonly PullMember[] };

/** What one rule says about one thing it looks at. Data only: templates have the words. */
export interface Finding {
  readonly rule: string;
  readonly outcome: FindingOutcome;
  readonly enforce: Enforce;
  readonly onUnknown: Enforce;
  readonly mandatory: boolean;
  readonly limit: Limit;
  readonly per: Per;
  /**
   * The stage, module or resource type looked at; null for the whole pull request, or when it is not known which.
   * Of a rule that passed: the subject closest to the limit.
   */
  readonly subject: string | null;
  /** How many further subjects of this rule have the same outcome and no finding of their own; 0 on all but the last of them. */
  readonly others: number;
  /** Null when undecided, and where there is nothing to measure. */
  readonly measured: MeasuredValue | null;
  /** True: it was over the limit before, and this change does not raise it, so that it only warns. */
  readonly alreadyAbove?: true;
  /** Empty unless undecided. */
  readonly because: readonly UndecidedReason[];
  /** Why the rule is not applicable; absent unless that is the outcome. */
  readonly mismatch?: ScopeMismatch;
  /** The rule's own words for a violation, `{{count}}` filled in; null: it has none. Not escaped. */
  readonly message: string | null;
  /** Addresses and names of what the finding is about where single ones can be told: what a signature covers. Not escaped. */
  readonly items: readonly string[];
  /** The exception that the violation falls under: it does not count then; null: none. */
  readonly waiver: Pick<Waiver, "owner" | "reason" | "untilMs"> | null;
  /** Who may sign for it; null: nobody. */
  readonly approve: ApproveSpec | null;
  /** Signatures hold for it: it does not block then. */
  readonly approved: boolean;
}

/** Whether a person may sign for it. */
export const isApprovable = ({ approve }: Finding): boolean => approve !== null;

export interface Verdict {
  readonly kind: "pass" | "warn" | "block" | "undecided";
  /**
   * Worst first. A rule that passed or is not applicable has one finding; another has one for each subject that is violated or
   * undecided (at most 100 of each, then `others`).
   */
  readonly findings: readonly Finding[];
}
