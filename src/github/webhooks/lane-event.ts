import { z } from "zod";
import { parseSha } from "../../kernel/ids.ts";
import type { ValueOf } from "../../kernel/schemas.ts";

const Id = z.int().positive();
/** A name, or GitHub's global id. */
const Label = z.string().max(255);
const Sha = z.string().refine((text) => parseSha(text) !== null);

/** Names are labels for people and for addressing requests; the numbers are the identity. */
const RepositoryLabel = z.object({ id: Id, owner: Label, name: Label });
export type RepositoryLabel = ValueOf<typeof RepositoryLabel>;

/** `statedMs`: GitHub's time of the state that the names are from, ms since 1970; null: not stated. */
const source = { installationId: Id, repository: RepositoryLabel, statedMs: z.number().nullable() };
/** `pulls` is empty for forks: look them up by commit. */
const commit = { sha: Sha, pulls: z.array(Id) };
/** `nodeId`: GitHub's global id. */
const written = { nodeId: Label, authorId: Id.nullable() };

export const PullRequestEvent = z.object({
  ...source,
  kind: z.literal("pull"),
  action: z.enum([
    "opened",
    "reopened",
    "synchronize",
    "retargeted",
    "ready_for_review",
    "converted_to_draft",
    "labeled",
    "unlabeled",
    "unlocked",
    "closed",
    /** Any other one: it counts if the stack differs. */
    "other",
  ]),
  number: Id,
  headSha: Sha,
  /** The head before a push; null: it is no push. */
  before: Sha.nullable(),
  /** Number of its stack, place in it and trunk, as one text; null: it is in none. */
  stack: z.string().nullable(),
  baseRef: Label,
  /** Who triggered it: of a push, the pusher. Null: the account is gone. */
  senderId: Id.nullable(),
});
export type PullRequestEvent = ValueOf<typeof PullRequestEvent>;

/**
 * A push that may have changed a policy file. `organisation`: the file in the owner's `.github` repository; `isDefault`: it may be one of
 * the default branch.
 */
const PolicyPushEvent = z.object({
  ...source,
  kind: z.literal("policy_push"),
  /** Branch name without `refs/heads/`. */
  ref: Label,
  organisation: z.boolean(),
  isDefault: z.boolean(),
  ownerId: Id,
});
export type PolicyPushEvent = ValueOf<typeof PolicyPushEvent>;

const CommitEvent = z.object({
  ...source,
  ...commit,
  kind: z.literal("commit"),
  /** The URL on the platform of the status or check, and who posted it: an account or an App. Absent: not stated. */
  named: z
    .object({ by: z.enum(["status", "check"]), posterId: Id, url: z.string() })
    .optional()
    .catch(undefined),
});
export type CommitEvent = ValueOf<typeof CommitEvent>;

/** A person asked for a new evaluation with a button on GitHub. */
const RecheckEvent = z.object({ ...source, ...commit, kind: z.literal("recheck") });
export type RecheckEvent = ValueOf<typeof RecheckEvent>;

/**
 * A new comment of a person that may be a command, or a change to a comment. The evaluation reads the comment's text from
 * GitHub.
 */
export const CommentEvent = z.object({
  ...source,
  ...written,
  kind: z.literal("comment"),
  action: z.enum(["created", "edited", "deleted"]),
  number: Id,
  commentId: Id,
});
export type CommentEvent = ValueOf<typeof CommentEvent>;

export const ReviewEvent = z.object({
  ...source,
  ...written,
  kind: z.literal("review"),
  action: z.enum(["submitted", "edited", "dismissed"]),
  number: Id,
  reviewId: Id,
  /** A new review that requests changes: it approves nothing, and revokes an approving review of the same person. */
  objects: z.boolean(),
});
export type ReviewEvent = ValueOf<typeof ReviewEvent>;

export const MergeGroupEvent = z.object({
  ...source,
  kind: z.literal("merge_group"),
  action: z.enum(["checks_requested", "destroyed"]),
  headSha: Sha,
  /** `gh-readonly-queue/…`, without `refs/heads/`. */
  headRef: Label,
  /** The base branch, without `refs/heads/`. */
  baseRef: Label,
});
export type MergeGroupEvent = ValueOf<typeof MergeGroupEvent>;

export const RepositoryEvent = z.object({
  ...source,
  kind: z.literal("repository"),
  action: z.enum(["renamed", "transferred", "publicized", "privatized"]),
  ownerId: Id,
});
export type RepositoryEvent = ValueOf<typeof RepositoryEvent>;

export const InstallationEvent = z.object({
  kind: z.literal("installation"),
  action: z.enum([
    "created",
    "deleted",
    "suspend",
    "unsuspend",
    "new_permissions_accepted",
    "repositories_added",
    "repositories_removed",
    "renamed",
  ]),
  installationId: Id,
  /** Numeric repository ids; null: too many for one delivery's record, list the installation's repositories. */
  repositoryIds: z.array(Id).nullable(),
});
export type InstallationEvent = ValueOf<typeof InstallationEvent>;

/** A person ended the App's authorization at GitHub: none of the person's tokens works any longer. */
const RevocationEvent = z.object({ kind: z.literal("authorization_revoked"), userId: Id });

/** A reduced delivery: about 200 bytes, enough to find the lanes to enqueue. */
export const LaneEvent = z.discriminatedUnion("kind", [
  PullRequestEvent,
  PolicyPushEvent,
  CommitEvent,
  RecheckEvent,
  CommentEvent,
  ReviewEvent,
  MergeGroupEvent,
  RepositoryEvent,
  InstallationEvent,
  RevocationEvent,
]);
export type LaneEvent = ValueOf<typeof LaneEvent>;

/** One verified delivery. `id` is GitHub's GUID; a redelivery has the same one. */
export const Delivery = z.object({ id: z.string(), event: LaneEvent });
export type Delivery = ValueOf<typeof Delivery>;
