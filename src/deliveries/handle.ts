import { canShowFigures, type Log } from "../evaluate/run/deps.ts";
import type { OperatorRules } from "../evaluate/run/operator-rules.ts";
import type { GitHubApp } from "../github/app.ts";
import { readUnless } from "../github/client/read-answer.ts";
import { failAtRefusal } from "../github/client/result.ts";
import { readCommitPulls } from "../github/head/commit-pulls.ts";
import type {
  CommentEvent,
  CommitEvent,
  Delivery,
  InstallationEvent,
  LaneEvent,
  MergeGroupEvent,
  PolicyPushEvent,
  PullRequestEvent,
  RecheckEvent,
  RepositoryEvent,
  RepositoryLabel,
  ReviewEvent,
} from "../github/webhooks/lane-event.ts";
import { assertNever } from "../kernel/errors.ts";
import { formatLaneKey } from "../queue/names.ts";
import {
  type EnqueueDeps,
  enqueueCommitGroup,
  enqueueLane,
  enqueueMergeGroup,
  enqueueMergeGroups,
} from "../queue/queue.ts";
import { isActing, recordCommand, recordPush } from "../store/approvals/commands.ts";
import { forgetCheckDigests } from "../store/check-runs.ts";
import {
  isStoredComment,
  recordRestore,
  retryCommentsNow,
  retryInstallationComments,
} from "../store/comment-problems.ts";
import { distrustComments } from "../store/comments.ts";
import { removeInstallation, setSuspended } from "../store/installations.ts";
import { forgetPolicy } from "../store/known-policy-files.ts";
import { removeMergeGroup } from "../store/merge-groups.ts";
import {
  announce,
  findPull,
  forgetAttempts,
  listOpenBasePulls,
  listOpenCommitPulls,
  listOpenRepositoryPulls,
  type PullRow,
  savePull,
} from "../store/pulls.ts";
import { hideFigures, listOwnerRepositories, removeRepository, saveLabel } from "../store/repositories.ts";
import { deleteUserSessions } from "../store/sessions.ts";
import type { WorkFields } from "../telemetry/telemetry.ts";

export interface DeliveryDeps extends EnqueueDeps {
  readonly log: Log;
  readonly operator: Pick<OperatorRules, "publicFigures">;
  readonly app: GitHubApp;
  /** Saves the execution that a status or check names on a commit, if its poster is trusted. */
  readonly rememberNamed: (
    commit: { readonly repositoryId: number; readonly sha: string },
    named: NonNullable<CommitEvent["named"]>,
  ) => Promise<void>;
  /** Lists an installation's repositories again. Throws when GitHub does not answer; retryable, unless it refuses. */
  readonly discover: (installationId: number) => Promise<void>;
}

/** Handles one delivery: saves its facts and enqueues the lanes that it concerns. It may run twice: every effect is idempotent. */
export async function handleDelivery(deps: DeliveryDeps, { event }: Delivery): Promise<void> {
  if (event.kind === "installation") return onInstallation(deps, event);
  if (event.kind === "authorization_revoked") return deleteUserSessions(deps.db, event.userId);
  await rememberLabel(deps, event);
  return handleRepositoryEvent(deps, event);
}

type AtRepository = Exclude<LaneEvent, { kind: "installation" | "authorization_revoked" }>;

function handleRepositoryEvent(deps: DeliveryDeps, event: AtRepository): Promise<void> {
  switch (event.kind) {
    case "pull":
      return onPull(deps, event);
    case "policy_push":
      return onPolicyPush(deps, event);
    case "commit":
      return onCommit(deps, event);
    case "recheck":
      return onRecheck(deps, event);
    case "comment":
      return onComment(deps, event);
    case "review":
      return onReview(deps, event);
    case "merge_group":
      return onMergeGroup(deps, event);
    case "repository":
      return onRepository(deps, event);
    default:
      return assertNever(event);
  }
}

function rememberLabel({ db, clock }: DeliveryDeps, event: AtRepository): Promise<void> {
  const { id, owner, name } = event.repository;
  const label = {
    repository_id: id,
    installation_id: event.installationId,
    owner_login: owner,
    name,
    ...("ownerId" in event && { owner_id: event.ownerId }),
    labels_at: event.statedMs === null ? null : new Date(event.statedMs),
  };
  return saveLabel(db, label, new Date(clock.now()));
}

/** Names a delivery and what it is about, for log lines and spans. */
export function describeDelivery({ id, event }: Delivery): WorkFields {
  return {
    delivery: id,
    event: event.kind,
    ...("repository" in event && { repository: `${event.repository.owner}/${event.repository.name}` }),
    ...("number" in event && { pull: event.number }),
  };
}

async function onMergeGroup(deps: DeliveryDeps, event: MergeGroupEvent): Promise<void> {
  const repositoryId = event.repository.id;
  if (event.action === "destroyed") return removeMergeGroup(deps.db, repositoryId, event.headSha);
  await enqueueMergeGroup(deps, repositoryId, event);
}

async function onInstallation(deps: DeliveryDeps, event: InstallationEvent): Promise<void> {
  switch (event.action) {
    case "deleted":
      return removeInstallation(deps.db, event.installationId);
    case "suspend":
      return setSuspended(deps.db, event.installationId, true);
    case "repositories_removed": {
      for (const id of event.repositoryIds ?? []) await removeRepository(deps.db, id);
      return deps.discover(event.installationId);
    }
    default:
      await retryInstallationComments(deps.db, event.installationId, new Date(deps.clock.now()));
      return deps.discover(event.installationId);
  }
}

async function onCommit(deps: DeliveryDeps, event: CommitEvent): Promise<void> {
  const { repository, sha, named } = event;
  if (named !== undefined) await deps.rememberNamed({ repositoryId: repository.id, sha }, named);
  if (await enqueueCommitGroup(deps, repository.id, sha)) return;
  for (const number of await resolvePulls(deps, event))
    await enqueueLane(deps, { kind: "pull", repositoryId: repository.id, number });
}

/** Handles the Re-check button: the check is written again, and unknown facts are read again. */
async function onRecheck(deps: DeliveryDeps, event: RecheckEvent): Promise<void> {
  const repositoryId = event.repository.id;
  await forgetCheckDigests(deps.db, repositoryId, event.sha);
  await forgetAttempts(deps.db, repositoryId, event.sha);
  if (await enqueueCommitGroup(deps, repositoryId, event.sha)) return;
  for (const number of await resolvePulls(deps, event)) {
    const lane = { kind: "pull", repositoryId, number } as const;
    await distrustComments(deps.db, formatLaneKey(lane), new Date(deps.clock.now()));
    await retryCommentsNow(deps.db, { repositoryId, number }, new Date(deps.clock.now()));
    await enqueueLane(deps, lane);
  }
}

/**
 * Returns the pull requests of a commit. Reads the store first, and asks GitHub only about a commit that no
 * stored pull request has.
 */
async function resolvePulls(
  deps: DeliveryDeps,
  event: CommitEvent | RecheckEvent,
): Promise<readonly number[]> {
  if (event.pulls.length > 0) return event.pulls;
  const { repository, installationId, sha } = event;
  const known = await listOpenCommitPulls(deps.db, repository.id, sha);
  if (known.length > 0) return known.map(({ number }) => number);
  const found = await discoverCommitPulls(deps, installationId, repository, sha);
  return found.filter(({ headSha }) => headSha === sha).map(({ number }) => number);
}

/** Saves the open pull requests that contain a commit, as GitHub lists them. Throws when it does not answer; retryable, unless it refuses. */
export async function discoverCommitPulls(
  { app, db, clock }: Pick<DeliveryDeps, "app" | "db" | "clock">,
  installationId: number,
  repository: RepositoryLabel,
  sha: string,
): Promise<readonly { readonly number: number; readonly headSha: string }[]> {
  const read = readCommitPulls(app.installation(installationId), repository, sha);
  const pulls = await failAtRefusal(readUnless(["not_found", "rejected"], read));
  const open = (pulls ?? []).filter((pull) => pull.open);
  const now = new Date(clock.now());
  for (const { number, headSha, baseRef } of open)
    await savePull(
      db,
      { repositoryId: repository.id, number, headSha, mergeSha: null, baseRef, state: "open" },
      now,
    );
  return open;
}

/** Handles a comment. An edited or deleted comment is never a command; it matters only where it gave an approval. */
async function onComment(deps: DeliveryDeps, event: CommentEvent): Promise<void> {
  if (event.action !== "created") await requestRestore(deps, event);
  await recordPersonText(deps, event, { source: "comment", sourceId: event.commentId });
}

/** Enqueues the comments' lane after others edited or deleted one of ours, unless that happens again and again. */
async function requestRestore(
  deps: DeliveryDeps,
  { repository, number, commentId }: CommentEvent,
): Promise<void> {
  const key = { repositoryId: repository.id, number };
  const now = new Date(deps.clock.now());
  if (!(await isStoredComment(deps.db, key, commentId))) return;
  const lane = formatLaneKey({ kind: "pull", ...key });
  await distrustComments(deps.db, lane, now);
  if (await recordRestore(deps.db, key, now)) await deps.queue.enqueueComment(lane);
}

/** Handles a review. One that requests changes overrules the same person's approving review; the lane reads that. */
async function onReview(deps: DeliveryDeps, event: ReviewEvent): Promise<void> {
  if (!event.objects) await recordPersonText(deps, event, { source: "review", sourceId: event.reviewId });
  // Who requests changes may have approved before, or hold the check, until the review is dismissed.
  if (event.objects || event.action === "dismissed")
    await enqueueLane(deps, { kind: "pull", repositoryId: event.repository.id, number: event.number });
}

/** Stores a new text, which its lane reads as a command, and enqueues the lane if the text acts or acted. */
async function recordPersonText(
  deps: DeliveryDeps,
  event: CommentEvent | ReviewEvent,
  source: { readonly source: "comment" | "review"; readonly sourceId: number },
): Promise<void> {
  const { action, nodeId, authorId, repository, number } = event;
  const key = { repositoryId: repository.id, number };
  const isNew = action === "created" || action === "submitted";
  if (isNew && authorId !== null)
    await recordCommand(deps.db, { ...key, ...source, nodeId, authorId }, new Date(deps.clock.now()));
  if (await isActing(deps.db, { ...key, ...source })) await enqueueLane(deps, { kind: "pull", ...key });
}

/**
 * Handles an event of a pull request. The event may be old or out of order, so it only saves that the pull request exists; the
 * lane reads the current state from GitHub.
 */
async function onPull(deps: DeliveryDeps, event: PullRequestEvent): Promise<void> {
  const key = { repositoryId: event.repository.id, number: event.number };
  const known = await findPull(deps.db, key);
  if (event.action === "other" && (known?.stack ?? null) === event.stack) return;
  if (known === undefined) {
    const { headSha, baseRef } = event;
    await savePull(
      deps.db,
      { ...key, headSha, mergeSha: null, baseRef, state: "open" },
      new Date(deps.clock.now()),
    );
  }
  const head = HEAD_ACTIONS.has(event.action) ? { announced_sha: event.headSha } : {};
  await announce(deps.db, key, { ...head, stack: event.stack });
  if (event.action === "synchronize" && event.senderId !== null)
    await recordPush(deps.db, key, { userId: event.senderId, before: event.before, after: event.headSha });
  if (event.action === "unlocked") await retryCommentsNow(deps.db, key, new Date(deps.clock.now()));
  await enqueueLane(deps, { kind: "pull", ...key });
}

/** Actions whose head may be new. */
const HEAD_ACTIONS: ReadonlySet<PullRequestEvent["action"]> = new Set(["opened", "reopened", "synchronize"]);

/**
 * Handles a push that may have changed or removed a policy file. Only a push can remove a policy, so the store forgets the policy
 * before every pull request under it is enqueued. The default branch's policy names the checks of all branches.
 */
async function onPolicyPush(deps: DeliveryDeps, event: PolicyPushEvent): Promise<void> {
  const { ref: baseRef } = event;
  const repositoryId = event.repository.id;
  await forgetPolicy(deps.db, { repositoryId, baseRef });
  const pulls = event.isDefault
    ? await listOpenRepositoryPulls(deps.db, repositoryId)
    : await listOpenBasePulls(deps.db, repositoryId, baseRef);
  await enqueuePulls(deps, pulls);
  await enqueueMergeGroups(deps, { repositoryId, baseRef });
  if (event.organisation) await onOrganisationPush(deps, event);
}

async function onOrganisationPush(deps: DeliveryDeps, { ownerId }: PolicyPushEvent): Promise<void> {
  for (const { repository_id: repositoryId } of await listOwnerRepositories(deps.db, ownerId)) {
    await forgetPolicy(deps.db, { repositoryId, baseRef: null });
    await enqueuePulls(deps, await listOpenRepositoryPulls(deps.db, repositoryId));
  }
}

/**
 * Handles a repository that was renamed, transferred, or changed its visibility: enqueues all of its open pull requests. One that
 * became public may have none, and everybody can read its pages now.
 */
async function onRepository(deps: DeliveryDeps, event: RepositoryEvent): Promise<void> {
  const { id } = event.repository;
  // An old delivery may only hide figures: what shows them is read from GitHub.
  if (event.action === "publicized" && !canShowFigures(deps.operator, { visibility: "public" }))
    await hideFigures(deps.db, id);
  await retryCommentsNow(deps.db, { repositoryId: id }, new Date(deps.clock.now()));
  await enqueuePulls(deps, await listOpenRepositoryPulls(deps.db, id));
}

async function enqueuePulls(deps: DeliveryDeps, pulls: readonly PullRow[]): Promise<void> {
  for (const { repository_id: repositoryId, number } of pulls)
    await enqueueLane(deps, { kind: "pull", repositoryId, number });
}
