import type { Decimal, Money } from "../../kernel/money.ts";
import type { PolicyEvent } from "../../kernel/notification-events.ts";
import type { CommentSection } from "./comment-sections.ts";
import type { FactName } from "./fact-names.ts";

export type RuleGranularity = "pull-request" | "stage" | "module" | "resource-type";
export type Enforcement = "block" | "warn";

export type CountLimit =
  | "deletions"
  | "replacements"
  | "changes"
  | "drift"
  | "unpriced"
  | "usage"
  | "anomalies"
  | "governance-failures";
export type MoneyLimit = "increase" | "decrease" | "total" | "missed-savings" | "budget";

/** What a rule allows at most: money per month, percent, or a count. Reaching it is allowed, exceeding it is not. */
export type Limit =
  | { readonly kind: MoneyLimit; readonly amount: Money }
  | { readonly kind: "percent"; readonly percent: Decimal }
  /** By how many percent the cost of a unit of `metric` may rise. */
  | { readonly kind: "unit-cost"; readonly metric: string; readonly percent: Decimal }
  /** `existing`: existing resources count too; absent: only introduced ones. */
  | { readonly kind: CountLimit; readonly count: number; readonly existing?: "include" }
  /** A condition in CEL: the rule is violated where the condition is true. */
  | { readonly kind: "when"; readonly expression: string; readonly needs: readonly FactName[] };

/** The pull requests and parts of them to which a rule, waiver or budget applies. */
export interface Scope extends ScopeNames {
  /** The excluded part; absent: nothing. */
  readonly not?: ScopeNames;
}

/** Names and patterns of pull requests and of their parts. An empty list does not restrict. */
export interface ScopeNames {
  /** Globs over base branches. */
  readonly branches: readonly string[];
  /** Globs over changed paths: one that matches is enough. */
  readonly paths: readonly string[];
  readonly labels: readonly string[];
  /** Logins, in any case. */
  readonly authors: readonly string[];
  /** Globs over names that the policy gives to stages. */
  readonly stages: readonly string[];
  readonly workspaces: readonly string[];
  /** Globs over module paths, dots being separators. */
  readonly modules: readonly string[];
  readonly resourceTypes: readonly string[];
  /** Provider names, e.g. `aws`. */
  readonly providers: readonly string[];
}

/** The approvers of one group: any of these members matches. */
export interface ApproverGroup {
  /** Slugs of teams of the owner. */
  readonly teams: readonly string[];
  /** Logins, in lower case. */
  readonly users: readonly string[];
  /** Least permission on the repository that is enough by itself; null: teams and users only. */
  readonly permission: "write" | "maintain" | "admin" | null;
  /** Number of different people of the group that must approve, at least 1. */
  readonly count: number;
}

/** The approvers of a violated rule: every group must be complete. */
export interface ApproveSpec {
  readonly groups: readonly ApproverGroup[];
  /** Whether an approving review of the head counts as an approval. */
  readonly reviews: boolean;
}

/** The people who may override a check: any of these members matches. */
export interface OverrideSpec extends Pick<ApproverGroup, "teams" | "users" | "permission"> {
  /** Whether the author and the other contributors of a pull request may override its check. */
  readonly allowAuthor: boolean;
}

/** A reviewed, expiring waiver of one rule. */
export interface Waiver {
  readonly rule: string;
  readonly scope: Scope | null;
  /** Largest waived value: money in the rule's currency, a percentage or a count, like the rule; null: any value. */
  readonly upTo: Money | Decimal | null;
  /**
   * First moment at which the waiver is no longer in force, ms since 1970: the end of its `until` day in UTC.
   */
  readonly untilMs: number;
  readonly reason: string;
  readonly owner: string;
}

/** The position of a rule or a budget; stored beside the rules, because rules are compared without their position. */
export interface RulePlace {
  /** The id of the rule. */
  readonly rule: string;
  /** The name of the file, as the `PolicyText` that it was read from has it. */
  readonly file: string;
  /** The first line of its entry, counted from 1. */
  readonly line: number;
}

export interface Rule {
  readonly id: string;
  readonly limit: Limit;
  readonly per: RuleGranularity;
  /** Null: every pull request and every part of it. */
  readonly scope: Scope | null;
  readonly enforce: Enforcement;
  /**
   * The effect of a violation in single stages, by a pattern over their names, instead of `enforce`; the first match counts. A
   * limit that only all stages together exceed warns.
   */
  readonly enforceIn: readonly { readonly stage: string; readonly enforce: Enforcement }[];
  /** The approvers of a violation; null: nobody. */
  readonly approve: ApproveSpec | null;
  /** The policy author's message for a violation; may contain `{{count}}`, the number of items. */
  readonly message: string | null;
  /** What an undecided rule does: `warn` is allowed only where the schema allows it. */
  readonly onUnknown: Enforcement;
  /** True: the rule came from the organisation's file and no repository can loosen it. */
  readonly mandatory: boolean;
}

/** A verdict waits for these workspaces when the pull request changes a file that matches. */
export interface Expectation {
  readonly paths: readonly string[];
  /** Globs or names; empty: at least one execution, of whatever workspace. */
  readonly workspaces: readonly string[];
  readonly withinMs: number;
}

export interface StageNaming {
  readonly workspace: string;
  readonly name: string;
}

export interface CheckName {
  readonly branch: string;
  readonly name: string;
}

/** What the organisation's file has one of the operator's targets told about its repositories. */
export interface NotifyChoice {
  /** The target's name in the operator's file, which alone says where it is. */
  readonly target: string;
  readonly on: readonly PolicyEvent[];
  /** `blocked` only where the monthly increase is above this, or unknown; null: always. */
  readonly above: Money | null;
  /** `estimate-off` only where the actual cost differs by more percent; null: as the target has it. */
  readonly offBy: Decimal | null;
}

/** The policy in force: the repository's file under the organisation's. */
export interface Policy {
  readonly rules: readonly Rule[];
  readonly expect: readonly Expectation[];
  readonly stages: readonly StageNaming[];
  /** Stage names of the organisation's file alone: mandatory rules use them, so that no repository can rename a stage out of one. */
  readonly organisationStages: readonly StageNaming[];
  readonly checkNames: readonly CheckName[];
  /** Narrows the operator's grant. */
  readonly platform: { readonly org: string | null; readonly project: string | null };
  /** Whether executions may be looked up by workspace (marked "assumed"). */
  readonly assumeByWorkspace: boolean;
  readonly comment: CommentPolicy;
  readonly waivers: readonly Waiver[];
  /** Who may override a check that does not pass; null: nobody. */
  readonly override: OverrideSpec | null;
  /** Whether approvers are requested as reviewers while their approval is needed. */
  readonly requestReviewers: boolean;
  /** Of the organisation's file alone; absent: it chooses nothing. */
  readonly notify?: readonly NotifyChoice[];
}

export type CommentMode = "update" | "new" | "hide-and-new" | "delete-and-new";

/** Changes of cost under all of these thresholds are small; null: that one is not set. At least one is. */
export interface SmallChange {
  readonly amount: Money | null;
  readonly percent: Decimal | null;
}

/** How the comment is updated. */
export interface CommentPolicy {
  readonly mode: CommentMode;
  readonly onNoChange: "comment" | "quiet";
  /** Null: every change of cost is worth a comment. */
  readonly smallChange: SmallChange | null;
  /** Sections of the comment in their order, by name; null: all, as usual. Headline, findings and provenance are always there. */
  readonly sections: readonly CommentSection[] | null;
}

/** One thing wrong in a policy file, with its place. Lines and columns count from 1. */
export interface PolicyProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Where in the document, e.g. `rules[2].limit.increase`. */
  readonly path: string;
  /** What was found and what was expected, one sentence. */
  readonly message: string;
}
