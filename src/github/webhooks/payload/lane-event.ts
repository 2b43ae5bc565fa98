/** Names are labels for people and for addressing requests; the numbers are the identity. */
export interface RepositoryLabel {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
}

interface EventSource {
  readonly installationId: number;
  readonly repository: RepositoryLabel;
}

export interface PullRequestEvent extends EventSource {
  readonly kind: "pull";
  readonly action:
    | "opened"
    | "reopened"
    | "synchronize"
    | "retargeted"
    | "ready_for_review"
    | "converted_to_draft"
    | "labeled"
    | "unlabeled"
    | "unlocked"
    | "closed";
  readonly number: number;
  readonly headSha: string;
  readonly baseRef: string;
  /** Who triggered it: of a push, the pusher. Null: the account is gone. */
  readonly senderId: number | null;
}

/** A push that may have changed a policy file. `organisation`: the file in the owner's `.github` repository. */
export interface PolicyPushEvent extends EventSource {
  readonly kind: "policy_push";
  /** Branch name without `refs/heads/`. */
  readonly ref: string;
  readonly organisation: boolean;
  readonly ownerId: number;
}

/** A status or check of a commit. `pulls` is empty for forks: look them up by commit. */
export interface CommitEvent extends EventSource {
  readonly kind: "commit";
  readonly cause: "status" | "check_run" | "check_suite";
  readonly sha: string;
  readonly pulls: readonly number[];
  /** The URL on the platform of the status or check, and who posted it: an account or an App. Absent: not stated. */
  readonly named?:
    | { readonly by: "status" | "check"; readonly posterId: number; readonly url: string }
    | undefined;
  /** True: what it names has not ended. */
  readonly isRunning?: boolean | undefined;
}

/** A person asked for a new evaluation with a button on GitHub. */
export interface RecheckEvent extends EventSource {
  readonly kind: "recheck";
  readonly sha: string;
  readonly pulls: readonly number[];
  /** Null: a re-run of the whole suite. */
  readonly checkRunId: number | null;
}

/**
 * A new comment of a person that may be a command, or a change to a comment. The evaluation reads the comment's text from
 * GitHub.
 */
export interface CommentEvent extends EventSource {
  readonly kind: "comment";
  readonly action: "created" | "edited" | "deleted";
  readonly number: number;
  readonly commentId: number;
  /** GitHub's global id. */
  readonly nodeId: string;
  readonly authorId: number | null;
  readonly senderId: number | null;
}

export interface ReviewEvent extends EventSource {
  readonly kind: "review";
  readonly action: "submitted" | "edited" | "dismissed";
  readonly number: number;
  readonly reviewId: number;
  /** GitHub's global id. */
  readonly nodeId: string;
  readonly authorId: number | null;
  readonly commitSha: string | null;
  /** A new review that requests changes: it approves nothing, and revokes an approving review of the same person. */
  readonly objects: boolean;
}

export interface MergeGroupEvent extends EventSource {
  readonly kind: "merge_group";
  readonly action: "checks_requested" | "destroyed";
  readonly headSha: string;
  /** `gh-readonly-queue/…`, without `refs/heads/`. */
  readonly headRef: string;
  /** The base branch, without `refs/heads/`. */
  readonly baseRef: string;
  readonly baseSha: string;
}

export interface RepositoryEvent extends EventSource {
  readonly kind: "repository";
  readonly action: "renamed" | "transferred" | "publicized" | "privatized";
  readonly ownerId: number;
}

export interface InstallationEvent {
  readonly kind: "installation";
  readonly action:
    | "created"
    | "deleted"
    | "suspend"
    | "unsuspend"
    | "new_permissions_accepted"
    | "repositories_added"
    | "repositories_removed"
    | "renamed";
  readonly installationId: number;
  readonly accountId: number | null;
  readonly account: string | null;
  readonly selection: "all" | "selected" | null;
  /** Numeric repository ids; null: too many for one delivery's record, list the installation's repositories. */
  readonly repositoryIds: readonly number[] | null;
}

/** A person ended the App's authorization at GitHub: none of the person's tokens works any longer. */
export interface RevocationEvent {
  readonly kind: "authorization_revoked";
  readonly userId: number;
}

/** A reduced delivery: about 200 bytes, enough to find the lanes to enqueue. */
export type LaneEvent =
  | PullRequestEvent
  | PolicyPushEvent
  | CommitEvent
  | RecheckEvent
  | CommentEvent
  | ReviewEvent
  | MergeGroupEvent
  | RepositoryEvent
  | InstallationEvent
  | RevocationEvent;

/** One verified delivery. `id` is GitHub's GUID; a redelivery has the same one. */
export interface Delivery {
  readonly id: string;
  readonly event: LaneEvent;
}
