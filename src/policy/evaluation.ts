import type { PullKey, Sha } from "../kernel/ids.ts";
import type { Report, TotalReport } from "../report/report.ts";
import type { Approvals } from "./approvals/approval.ts";
import type { CommentSection } from "./comment-sections.ts";
import type { JudgeContext } from "./context.ts";
import type { CheckDecision, PolicySource, Situation } from "./situation.ts";

/** The pull request as it was judged. Names are labels; `repositoryId` and `number` are its identity. */
export interface JudgedPull extends PullKey {
  /** `owner/name`, for display. */
  readonly repository: string;
  readonly headSha: Sha;
  readonly baseRef: string;
  /** False: figures are left out of everything a reader of this repository can see. */
  readonly figures: boolean;
  readonly draft: boolean;
}

/** One evaluation of exactly (head, base branch, policy blobs, facts): what is rendered, published, stored and audited. */
export interface Evaluation {
  readonly pull: JudgedPull;
  readonly report: Report;
  /** What else the rules knew of it. */
  readonly context: JudgeContext;
  readonly situation: Situation;
  /** Who signed for what, and what is still to be signed. */
  readonly approvals: Approvals;
  readonly check: CheckDecision;
  /** Check name, `tollgate: <base branch>` unless the policy names it. */
  readonly checkName: string;
  /** The files that were in force, organisation first; empty when there is none. */
  readonly policySources: readonly PolicySource[];
  /** What the pull request's own edit of the policy file would change; null when it does not edit it. */
  readonly policyEdit: PolicyEdit | null;
  /** True: the policy asks for no comment where nothing changes. */
  readonly quiet: boolean;
  /** Posters of statuses named as ours by someone else, shown and never read. */
  readonly foreignChecks: readonly string[];
  /** What the head before this one came to; null: this is the first one that was judged. */
  readonly previous: PreviousHead | null;
  /** Sections of the comment in the order that the policy gives them; null: all, as usual. */
  readonly sections: readonly CommentSection[] | null;
}

/** The newest evaluation of the same pull request with another head. */
export interface PreviousHead {
  readonly headSha: Sha;
  readonly totals: readonly TotalReport[];
}

/** The verdict under the pull request's own version of the policy file: information, never a judgement. */
export interface PolicyEdit {
  readonly outcome:
    | { readonly kind: "judged"; readonly verdict: "pass" | "warn" | "block" | "undecided" }
    | { readonly kind: "invalid"; readonly problems: number }
    | { readonly kind: "deleted" };
  readonly addedRules: readonly string[];
  readonly changedRules: readonly string[];
  readonly removedRules: readonly string[];
}
