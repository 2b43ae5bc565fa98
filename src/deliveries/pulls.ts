import { canShowFigures } from "../evaluate/run/can-show-figures.ts";
import type {
  PolicyPushEvent,
  PullRequestEvent,
  RepositoryEvent,
} from "../github/webhooks/payload/lane-event.ts";
import { enqueueLane, enqueueMergeGroups } from "../queue/enqueue.ts";
import { recordPush } from "../store/approvals/commands.ts";
import { retryCommentsNow } from "../store/comment-problems.ts";
import { forgetPolicies } from "../store/known-policy-files.ts";
import {
  announce,
  findPull,
  listOpenBasePulls,
  listOpenRepositoryPulls,
  type PullRow,
  savePull,
} from "../store/pulls.ts";
import { hideFigures, listOwnerRepositories } from "../store/repositories.ts";
import type { DeliveryDeps } from "./deps.ts";

/**
 * Handles an event of a pull request. The event may be old or out of order, so it only saves that the pull request exists; the
 * lane reads the current state from GitHub.
 */
export async function onPull(deps: DeliveryDeps, event: PullRequestEvent): Promise<void> {
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
export async function onPolicyPush(deps: DeliveryDeps, event: PolicyPushEvent): Promise<void> {
  const { ref: baseRef } = event;
  const repositoryId = event.repository.id;
  await forgetPolicies(deps.db, { repositoryId, baseRef, which: "repository" });
  const pulls = event.isDefault
    ? await listOpenRepositoryPulls(deps.db, repositoryId)
    : await listOpenBasePulls(deps.db, repositoryId, baseRef);
  await enqueuePulls(deps, pulls);
  await enqueueMergeGroups(deps, { repositoryId, baseRef });
  if (event.organisation) await onOrganisationPush(deps, event);
}

async function onOrganisationPush(deps: DeliveryDeps, { ownerId }: PolicyPushEvent): Promise<void> {
  for (const { repository_id: repositoryId } of await listOwnerRepositories(deps.db, ownerId)) {
    await forgetPolicies(deps.db, { repositoryId, baseRef: null, which: "organisation" });
    await enqueuePulls(deps, await listOpenRepositoryPulls(deps.db, repositoryId));
  }
}

/**
 * Handles a repository that was renamed, transferred, or changed its visibility: enqueues all of its open pull requests. One that
 * became public may have none, and everybody can read its pages now.
 */
export async function onRepository(deps: DeliveryDeps, event: RepositoryEvent): Promise<void> {
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
