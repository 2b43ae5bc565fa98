import type { PullKey, Sha } from "../../kernel/ids.ts";
import type { Decimal } from "../../kernel/money.ts";
import type { UnitCost } from "../../report/model/context.ts";
import type { Report, TotalReport } from "../../report/model/report.ts";
import type { Approvals } from "./approval.ts";
import type { CommentSection } from "./comment-sections.ts";
import type { EvaluationContext } from "./context.ts";
import type { Verdict } from "./finding.ts";
import type { Override } from "./override.ts";
import type { CommentMode, RulePlace, SmallChange } from "./policy.ts";
import type { CheckDecision, PolicySource, Situation } from "./situation.ts";

/** The evaluated pull request. Names are labels; `repositoryId` and `number` are its identity. */
export interface EvaluatedPull extends PullKey {
  /** `owner/name`, for display. */
  readonly repository: string;
  readonly headSha: Sha;
  readonly baseRef: string;
  /** False: figures are left out of everything a reader of this repository can see. */
  readonly figures: boolean;
  readonly draft: boolean;
  /** True: these are local files, so there is no pull request to approve. */
  readonly local?: true;
}

/** One evaluation of exactly (head, base branch, policy blobs, facts): what is rendered, published, stored and audited. */
export interface Evaluation {
  readonly pull: EvaluatedPull;
  readonly report: Report;
  /** The inputs of the rules beside the report. */
  readonly context: EvaluationContext;
  readonly situation: Situation;
  /**
   * When this head, into this base branch, first had the findings that its newest verdict has, in milliseconds since 1970; absent: it
   * had no verdict.
   */
  readonly evaluatedMs?: number;
  /** Digest of what can be approved in that verdict; absent: it had none. */
  readonly approvableDigest?: string;
  /** When this head was first evaluated in this place; absent: an error of our own prevented it so far. */
  readonly firstEvaluated?: FirstEvaluation;
  /** Approvals in force, lapsed and missing. */
  readonly approvals: Approvals;
  /** The override that lets the check pass; absent: none does. */
  readonly override?: Override;
  readonly check: CheckDecision;
  /** Check name, `tollgate: <base branch>` unless the policy names it. */
  readonly checkName: string;
  /** The files that were in force, organisation first; empty when there is none. */
  readonly policySources: readonly PolicySource[];
  /** The positions of the rules in these files; absent: none is in force. */
  readonly rulePlaces?: readonly RulePlace[];
  /** What the pull request's own edit of the policy file would change; null when it does not edit it. */
  readonly policyEdit: PolicyEdit | null;
  /** True: the policy requests no comment on pull requests that change nothing. */
  readonly quiet: boolean;
  /** Changes of cost that are too small for a comment; absent: none is. */
  readonly smallChange?: SmallChange;
  /** True: the policy asks for approvers to be requested as reviewers. */
  readonly requestReviewers?: true;
  /** How comments follow one another. */
  readonly commentMode: CommentMode;
  /** Posters of statuses with Tollgate's name that Tollgate did not post. They are shown, but never read. */
  readonly foreignChecks: readonly string[];
  /** The evaluation of the previous head; null: this is the first evaluated head. */
  readonly previous: PreviousHead | null;
  /** Sections of the comment in the order of the policy; null: all, in default order. */
  readonly sections: readonly CommentSection[] | null;
  /** Earlier totals of this head, where an internal error left this evaluation without totals. */
  readonly lastKnown?: readonly TotalReport[];
  /** The actual cost after the merge; absent: not read, or unknown. */
  readonly afterMerge?: CostAfterMerge;
}

/** The first evaluation of a head into one base branch under one policy. Overrides that were written before it do not count. */
export interface FirstEvaluation {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Digest of head, base branch and policy files. */
  readonly digest: string;
}

/** What workspaces were estimated to cost when a pull request was merged, and what they cost since it was applied. */
export interface CostAfterMerge {
  /** Days between the merge and this comparison. */
  readonly days: number;
  /** Number of compared workspaces, and of workspaces that the pull request touched. */
  readonly compared: number;
  readonly workspaces: number;
  /** Per month, one per currency. */
  readonly totals: readonly {
    readonly currency: string;
    readonly estimated: Decimal;
    readonly actual: Decimal;
  }[];
  /** Per comparable unit metric; absent: none is. */
  readonly units?: readonly UnitCostAfterMerge[];
}

/** What one unit was estimated to cost after a merge, and what it costs since. */
export interface UnitCostAfterMerge extends UnitCost {
  readonly before: Decimal;
  readonly after: Decimal;
  readonly actual: Decimal;
  /** The day of the actual cost as its first second, e.g. `2026-03-01T00:00:00Z`. */
  readonly actualAsOf: string;
}

/** The newest evaluation of the same pull request with another head. */
export interface PreviousHead {
  readonly headSha: Sha;
  readonly totals: readonly TotalReport[];
}

/** The outcome under the pull request's own version of the policy file: information, never a verdict. */
export interface PolicyEdit {
  readonly outcome:
    | { readonly kind: "evaluated"; readonly verdict: "pass" | "warn" | "block" | "undecided" }
    | { readonly kind: "invalid"; readonly problems: number }
    | { readonly kind: "deleted" }
    /** The evaluation takes too long, or too many edits wait: the lists may lack changes. */
    | { readonly kind: "not_evaluated" };
  readonly addedRules: readonly string[];
  readonly changedRules: readonly string[];
  readonly removedRules: readonly string[];
  /** Rules whose waivers are added or removed; a changed waiver counts as one of each. */
  readonly addedWaivers: readonly string[];
  readonly removedWaivers: readonly string[];
  /** Other changed members of `Policy`. */
  readonly otherParts: readonly (
    | "expect"
    | "stages"
    | "platform"
    | "assumeByWorkspace"
    | "comment"
    | "checkNames"
    | "override"
    | "requestReviewers"
  )[];
  /** Outcomes of the last pull requests of the repository under the edit; null: the edited file is invalid, or the time ran out. */
  readonly past: PastOutcomes | null;
}

/** Outcomes of past pull requests under an edited policy. */
export interface PastOutcomes {
  /** Number of pull requests that were evaluated again, under both policies, without approvals. */
  readonly compared: number;
  /** Those with another outcome, grouped by outcome. */
  readonly changed: readonly {
    readonly from: Verdict["kind"];
    readonly to: Verdict["kind"];
    /** Numbers of the pull requests, the newest first. */
    readonly pulls: readonly number[];
  }[];
}
