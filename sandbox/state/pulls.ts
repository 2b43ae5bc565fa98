export interface SandboxPull {
  readonly id: number;
  readonly repositoryId: number;
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly authorId: number;
  readonly state: "open" | "closed";
  readonly draft: boolean;
  readonly labels: readonly string[];
  readonly locked: boolean;
  readonly lockReason: "off-topic" | "too heated" | "resolved" | "spam" | null;
  /** null after the head's fork was deleted. */
  readonly headRepositoryId: number | null;
  readonly headOwnerId: number;
  readonly headRef: string;
  readonly headSha: string;
  readonly baseRef: string;
  /** The base branch's tip at the last opening, push or retargeting; the branch may have moved since. */
  readonly baseSha: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt: number | null;
  readonly mergedAt: number | null;
  readonly mergedById: number | null;
  /** People and teams whose review is requested. */
  readonly reviewerIds: readonly number[];
  readonly reviewerTeamIds: readonly number[];
  /** The merge commit; for an open pull request see `testMerge`. */
  readonly mergeCommitSha: string | null;
}

/** An ordered chain of pull requests of one repository; each targets the branch of the one below it. */
export interface Stack {
  readonly id: number;
  readonly repositoryId: number;
  readonly number: number;
  /** The branch that the lowest one targets. */
  readonly trunk: string;
  /** From the lowest to the highest, merged ones too. */
  readonly pulls: readonly number[];
  readonly createdAt: number;
}

export interface SandboxComment {
  readonly id: number;
  readonly repositoryId: number;
  /** Number of the pull request. */
  readonly number: number;
  readonly authorId: number;
  /** The App that wrote the comment; null: a person. */
  readonly appId: number | null;
  readonly body: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Time of the last edit; null: never. */
  readonly editedAt: number | null;
  /** The reason for minimising it; null: visible. */
  readonly minimised: string | null;
}

export interface Review {
  readonly id: number;
  readonly repositoryId: number;
  readonly number: number;
  readonly authorId: number;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";
  readonly body: string;
  /** The reviewed head. */
  readonly commitSha: string;
  readonly submittedAt: number;
  readonly editedAt: number | null;
}

/** A notification of a person whom a comment mentions, directly or by a team. */
export interface Notification {
  readonly id: number;
  readonly repositoryId: number;
  readonly number: number;
  readonly commentId: number;
  readonly userId: number;
  /** `ada`, or `acme/finops` for a team. */
  readonly mention: string;
}

/** One person's or App's reaction to a comment. */
export interface Reaction {
  readonly id: number;
  readonly commentId: number;
  readonly userId: number;
  readonly content: ReactionContent;
  readonly createdAt: number;
}

export const REACTIONS = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"] as const;
export type ReactionContent = (typeof REACTIONS)[number];

/** Pull requests that the merge queue tests together: `headSha` ends a chain of merge commits, one per pull request, on `baseSha`. */
export interface MergeGroup {
  readonly id: number;
  readonly repositoryId: number;
  readonly headSha: string;
  readonly headRef: string;
  readonly baseSha: string;
  readonly baseRef: string;
  readonly numbers: readonly number[];
  /** The merge commit of each of `numbers`. */
  readonly commits: readonly string[];
  readonly destroyed: "merged" | "invalidated" | "dequeued" | null;
}
