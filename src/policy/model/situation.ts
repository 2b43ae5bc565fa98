import type { ContextName } from "../../report/model/context.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import type { Verdict } from "./finding.ts";
import type { PolicyProblem } from "./policy.ts";

/** A workspace (or "any workspace") whose execution a verdict waits for. */
export interface MissingExecution {
  /** Glob or name; null: at least one execution of whatever workspace. */
  readonly workspace: string | null;
  /**
   * `unread`: it ended, and its facts are read again. `not_found`: `workspace` is the id of an execution that was
   * named and of which not even the workspaces could be read; it is read again.
   */
  readonly state: "missing" | "pending" | "unread" | "not_found";
}

/** An execution of which not even the workspaces could be read. */
export interface LostExecution {
  readonly executionId: string;
  readonly reason: UnknownReason;
}

/** The location of a policy file: repository, branch and path, and the blob that was read. */
export interface PolicySource {
  readonly repository: string;
  readonly path: string;
  readonly ref: string;
  readonly blob: string;
  /** A commit with this blob at this path; absent: none is known. */
  readonly commit?: string;
}

/** Why a policy file that may exist cannot be read. `vanished`: it existed before, and no push removed it. */
export type PolicyUnreadableReason =
  | "symlink"
  | "submodule"
  | "directory"
  | "binary"
  | "too_large"
  | "not_covered"
  | "forbidden"
  | "base_missing"
  | "malformed"
  | "vanished";

/** Why an evaluation failed. `too_many_claims`: the head has more statuses and checks than are read. */
export type FailureCause = "own_error" | "too_many_claims";

/** Everything that can be true about a head when its check is decided; one member per row of the verdict table. */
export type Situation =
  | { readonly kind: "evaluated"; readonly verdict: Verdict }
  /**
   * The policy is valid, and the pull request is a draft: it shows a provisional verdict, and is decided when it is ready for
   * review. `verdict`: null while there is nothing to evaluate yet.
   */
  | {
      readonly kind: "draft";
      readonly verdict: Verdict | null;
      readonly missing: readonly MissingExecution[];
    }
  /**
   * `unread`: context facts that rules need and that are read again; absent: none. `needsTurn`: nothing is read yet, because our own
   * limit of calls to the platform is reached.
   */
  | {
      readonly kind: "waiting";
      readonly missing: readonly MissingExecution[];
      readonly unread?: readonly ContextName[];
      readonly needsTurn?: true;
      readonly deadlineMs: number;
    }
  /** `oneJob`: a CI job evaluated its own executions, and none follow; absent: a deadline passed. */
  | {
      readonly kind: "deadline_passed";
      readonly missing: readonly MissingExecution[];
      readonly oneJob?: boolean;
    }
  | { readonly kind: "policy_invalid"; readonly problems: readonly PolicyProblem[] }
  | {
      readonly kind: "policy_unreadable";
      readonly which: "repository" | "organisation";
      readonly reason: PolicyUnreadableReason;
    }
  | { readonly kind: "cost_unreadable"; readonly workspaces: readonly string[] }
  | { readonly kind: "execution_unreadable"; readonly executions: readonly LostExecution[] }
  | { readonly kind: "failed"; readonly cause: FailureCause }
  | { readonly kind: "nothing_expected" }
  | { readonly kind: "no_policy"; readonly alwaysCheck: boolean };

export type Conclusion = "success" | "neutral" | "failure" | "action_required";

/** How the check run ends. `none`: no check is posted. */
export type CheckDecision =
  | { readonly status: "completed"; readonly conclusion: Conclusion }
  | { readonly status: "in_progress" }
  | { readonly status: "none" };
