import { canShowFigures } from "../evaluate/run/can-show-figures.ts";
import type { OperatorRules } from "../evaluate/run/operator-rules.ts";
import type { GitHubApp, InstallationFacts } from "../github/app.ts";
import { type GitHubResult, isRefusal } from "../github/client/result.ts";
import { listOpenPulls } from "../github/head/commit-pulls.ts";
import { listRepositories } from "../github/head/installation-repositories.ts";
import { listQueueBases, listQueuedGroups } from "../github/head/merge-group.ts";
import { TollgateError } from "../kernel/errors.ts";
import { type EnqueueDeps, enqueueLane, enqueueMergeGroup } from "../queue/enqueue.ts";
import { formatLaneKey } from "../queue/lane-key.ts";
import { findLastEntry } from "../store/database/lanes.ts";
import { saveInstallation } from "../store/installations.ts";
import { listKnownDrafts, listOpenRepositoryPulls, savePull } from "../store/pulls.ts";
import { announceChanges, markInstallationChanged } from "../store/replicas/shared-installations.ts";
import { markListed, type Repository, saveListedRepository } from "../store/repositories.ts";

/** Dependencies of discovery. */
export interface DiscoverDeps extends EnqueueDeps {
  readonly app: GitHubApp;
  readonly operator: Pick<OperatorRules, "publicFigures">;
}

/** Lists the App's installations. Throws when GitHub does not answer now. */
export const listInstallations = async ({ app }: DiscoverDeps): Promise<readonly InstallationFacts[]> =>
  requireAnswer(await app.installations());

/**
 * Reads one installation and its repositories after a change. An installation that no longer exists is left
 * unchanged.
 */
export async function discoverInstallation(deps: DiscoverDeps, installationId: number): Promise<void> {
  await markInstallationChanged(deps.db, installationId);
  await announceChanges(deps.db);
  deps.app.forget(installationId);
  const installation = (await listInstallations(deps)).find(({ id }) => id === installationId);
  if (installation !== undefined) await discoverRepositories(deps, installation);
}

/** Saves an installation's repositories and the installation itself, as GitHub lists them. Throws when GitHub does not answer now. */
export async function discoverRepositories(
  deps: DiscoverDeps,
  installation: InstallationFacts,
): Promise<void> {
  const now = new Date(deps.clock.now());
  const row = {
    installation_id: installation.id,
    owner_id: installation.accountId,
    owner_login: installation.account,
    owner_type: installation.accountType === "User" ? ("User" as const) : ("Organization" as const),
    repository_selection: installation.selection,
    suspended: installation.suspended,
  };
  const repositories = installation.suspended
    ? []
    : requireAnswer(await listRepositories(deps.app.installation(installation.id)));
  for (const { id, owner, ownerId, name, isPublic, updatedMs } of repositories) {
    const figures = canShowFigures(deps.operator, { visibility: isPublic ? "public" : "private" });
    const repository = {
      repository_id: id,
      owner_id: ownerId,
      owner_login: owner,
      name,
      figures,
      labels_at: updatedMs === null ? null : new Date(updatedMs),
    };
    await saveListedRepository(deps.db, { ...repository, installation_id: installation.id }, now);
  }
  await saveInstallation(deps.db, row, now); // last: it says that its repositories were listed
}

/**
 * Lists the open pull requests of a repository, and the merge groups if there are any, and enqueues those that the store does not have
 * in this state.
 */
export async function discoverPulls(deps: DiscoverDeps, repository: Repository): Promise<void> {
  const { repository_id: id, owner_login: owner, name, installation_id: installationId } = repository;
  const listed = requireAnswer(
    await listOpenPulls(deps.app.installation(installationId), { id, owner, name }),
  );
  const known = new Map((await listOpenRepositoryPulls(deps.db, id)).map((pull) => [pull.number, pull]));
  const drafts = await listKnownDrafts(deps.db, id);
  const now = new Date(deps.clock.now());
  for (const { number, headSha, baseRef, draft } of listed) {
    const before = known.get(number);
    known.delete(number);
    if (before?.head_sha === headSha && before.base_ref === baseRef && drafts.has(number) === draft) continue;
    await savePull(
      deps.db,
      { repositoryId: id, number, headSha, mergeSha: null, baseRef, state: "open" },
      now,
    );
    await enqueueLane(deps, { kind: "pull", repositoryId: id, number });
  }
  // The remaining pull requests were open and are not listed now: their lanes read that they were closed.
  for (const number of known.keys()) await enqueueLane(deps, { kind: "pull", repositoryId: id, number });
  if (listed.length > 0)
    await discoverMergeGroups(deps, repository, new Set(listed.map(({ baseRef }) => baseRef)));
  await markListed(deps.db, id, now);
}

/**
 * Enqueues the merge groups that never were evaluated, because no delivery told of them or because they could not be enqueued. One call
 * where no branch looks like a queue's.
 */
async function discoverMergeGroups(
  deps: DiscoverDeps,
  { repository_id: repositoryId, installation_id: installationId, owner_login: owner, name }: Repository,
  baseRefs: ReadonlySet<string>,
): Promise<void> {
  const client = deps.app.installation(installationId);
  const bases = requireAnswer(await listQueueBases(client, repositoryId));
  for (const baseRef of baseRefs) {
    if (!bases.has(baseRef)) continue;
    const groups = await listQueuedGroups(client, { repositoryId, owner, name, baseRef });
    for (const group of requireAnswer(groups)) {
      const lane = formatLaneKey({ kind: "group", repositoryId, headSha: group.headSha });
      if ((await findLastEntry(deps.db, lane)) === null) await enqueueMergeGroup(deps, repositoryId, group);
    }
  }
}

function requireAnswer<T>(answer: GitHubResult<T>): T {
  if (answer.ok) return answer.value;
  throw new TollgateError("github_failed", `GitHub did not answer: ${answer.failure.kind}`, {
    retryable: !isRefusal(answer.failure),
  });
}
