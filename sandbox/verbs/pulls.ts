import type { PullKey } from "../../src/kernel/ids.ts";
import type { MergeGroup, Review, SandboxPull, Stack } from "../state/pulls.ts";
import type { FileTree, PushResult } from "./repositories.ts";

export interface NewPull {
  readonly repository: string;
  /** "branch", or "owner:branch" for a branch of that owner's fork. */
  readonly head: string;
  /** Default: the default branch. */
  readonly base?: string;
  readonly title: string;
  readonly body?: string;
  readonly draft?: boolean;
  /** Login; default the head repository's owner or the organisation's first admin. */
  readonly author?: string;
}

export interface UpdateMerge {
  readonly by?: string;
  /** What somebody chose in the web editor for conflicts, on top of the merge; of a file that both sides changed, the head's is the default. */
  readonly files?: FileTree;
  /** Commits to merge; default the head and the base branch. The first one is the head before the push. */
  readonly parents?: readonly string[];
  /** Default: GitHub makes and signs it. `unsigned`: a person's commit that names GitHub as committer. */
  readonly signature?: "unsigned";
}

/** Whether GitHub's merge button is enabled, and why not. */
export interface Mergeability {
  readonly allowed: boolean;
  /** One sentence per reason; empty when merging is allowed. */
  readonly reasons: readonly string[];
}

/** Pull requests. Where `by` is left out, the pull request's author acts. Each verb sends the delivery of its name. */
export interface PullVerbs {
  openPullRequest(spec: NewPull): SandboxPull;
  /** Returns the current state. */
  pullRequest(pull: PullKey): SandboxPull;
  editPullRequest(pull: PullKey, change: { title?: string; body?: string; by?: string }): SandboxPull;
  /** Sends `pull_request.edited` with `changes.base`. */
  retargetPullRequest(pull: PullKey, change: { base: string; by?: string }): SandboxPull;
  closePullRequest(pull: PullKey, by?: string): SandboxPull;
  reopenPullRequest(pull: PullKey, by?: string): SandboxPull;
  /** Merges whatever the checks say, as an administrator may, with those below it in its stack. Sends `pull_request.closed` and the base branch's `push`. */
  mergePullRequest(pull: PullKey, by?: string): SandboxPull;
  /** Presses "Update branch": GitHub merges the base into the head branch. Sends the same deliveries as a push. */
  updateBranch(pull: PullKey, merge?: UpdateMerge): PushResult;
  convertToDraft(pull: PullKey, by?: string): SandboxPull;
  markReadyForReview(pull: PullKey, by?: string): SandboxPull;
  addLabel(pull: PullKey, change: { label: string; by?: string }): SandboxPull;
  removeLabel(pull: PullKey, change: { label: string; by?: string }): SandboxPull;
  lockConversation(pull: PullKey, by?: string): SandboxPull;
  unlockConversation(pull: PullKey, by?: string): SandboxPull;
  /** A person requests reviewers, by logins and slugs of teams. Sends no delivery. */
  requestReviewers(
    pull: PullKey,
    names: { readonly users: readonly string[]; readonly teams: readonly string[] },
  ): SandboxPull;
  /** A person withdraws requests of reviewers. Sends no delivery. */
  withdrawReviewers(
    pull: PullKey,
    names: { readonly users: readonly string[]; readonly teams: readonly string[] },
  ): SandboxPull;
  /** Those whose review is requested: logins, and `organisation/team`. */
  requestedReviewers(pull: PullKey): readonly string[];
  review(
    pull: PullKey,
    review: { by: string; state: "approved" | "changes_requested" | "commented"; body?: string },
  ): Review;
  /** Changes a review's text. Sends `pull_request_review.edited`. */
  editReview(reviewId: number, body: string): Review;
  /** Sends `pull_request_review.dismissed`. */
  dismissReview(reviewId: number, by?: string): Review;
  /** Applies GitHub's rule: every required check passed on the head, no conflict, open, not a draft. */
  mergeability(pull: PullKey): Mergeability;
  /** The test merge commit of an open pull request; null when it conflicts with its base. */
  testMerge(pull: PullKey): string | null;
}

export interface StackVerbs {
  /** Makes a stack of these, lowest first; each targets the branch of the one before. Sends a delivery for each of them. */
  createStack(pulls: readonly PullKey[]): Stack;
  /** Dissolves the stack of a pull request. Sends a delivery for each of its pull requests. */
  unstack(pull: PullKey): void;
}

export interface MergeQueueVerbs {
  /** Sends `merge_group.checks_requested` for one group of these pull requests, which share a base. */
  addToMergeQueue(pulls: readonly PullKey[], by?: string): MergeGroup;
  /** Sends `merge_group.destroyed`. "merged" also moves the base branch and closes the pull requests. */
  destroyMergeGroup(groupId: number, reason: "merged" | "invalidated" | "dequeued"): MergeGroup;
  groupMergeability(groupId: number): Mergeability;
}
