import type { Log } from "../evaluate/run/deps.ts";
import { canShowFigures } from "../evaluate/run/deps.ts";
import type { OperatorRules } from "../evaluate/run/operator-rules.ts";
import type { GitHubApp, InstallationFacts } from "../github/app.ts";
import { failAtRefusal } from "../github/client/result.ts";
import { listOpenPulls } from "../github/head/commit-pulls.ts";
import { listRepositories } from "../github/head/installation-repositories.ts";
import { listQueueBases, listQueuedGroups } from "../github/head/merge-group.ts";
import { DAY_MS, MINUTE_MS } from "../kernel/clock.ts";
import type { PullKey } from "../kernel/ids.ts";
import { formatLaneKey } from "../queue/names.ts";
import { type EnqueueDeps, enqueueLane, enqueueMergeGroup } from "../queue/queue.ts";
import { listOverdueComparisons } from "../store/after-merge/merged-pulls.ts";
import { listDueComments } from "../store/comment-problems.ts";
import { findLastEntry } from "../store/database/lanes.ts";
import { listRecentInstallations, saveInstallation } from "../store/installations.ts";
import {
  listKnownDrafts,
  listOpenRepositoryPulls,
  listUndecidedPulls,
  listUnvisitedPulls,
  markSwept,
  savePull,
} from "../store/pulls.ts";
import {
  announceChanges,
  markInstallationChanged,
  readDatabaseTime,
  saveSharedValues,
} from "../store/replicas/shared-installations.ts";
import {
  listUnlistedRepositories,
  markListed,
  type Repository,
  saveListedRepository,
} from "../store/repositories.ts";
import type { Span } from "../store/span.ts";

export interface SweepDeps extends DiscoverDeps {
  readonly log: Log;
}

export interface SweepOptions {
  /** Whether the repositories of all installations are listed, however recently they were. */
  readonly thorough: boolean;
  /** Ends the sweep before its next request; the next sweep does the rest. */
  readonly signal?: AbortSignal | undefined;
}

/** After this time, in ms, the repositories of an installation are listed again, whatever deliveries arrived. */
const LIST_REPOSITORIES_AGAIN_MS = 30 * MINUTE_MS;
/** After this time, in ms, the open pull requests of a repository are listed again, whatever deliveries arrived. */
const LIST_AGAIN_MS = 9 * MINUTE_MS;
/** Repositories that one sweep lists, and lanes that it enqueues because they have no verdict. */
const REPOSITORIES_AT_ONCE = 100;
const LANES_AT_ONCE = 500;
/** After this time, in ms, decided pull requests are evaluated again, so many at a time: at most 600 an hour. */
const VISIT_AGAIN_MS = 30 * MINUTE_MS;
const VISITS_AT_ONCE = 30;
/** A comparison after a merge is retried while it is late by more than the first and less than the second, in ms. */
const COMPARE_LATE_MS = 10 * MINUTE_MS;
const COMPARE_UNTIL_MS = DAY_MS;
const COMPARISONS_AT_ONCE = 50;
/** Pull requests whose comments one sweep retries. */
const COMMENTS_AT_ONCE = 100;

/**
 * Recovers lost deliveries. Enqueues every open head without a final check and every head whose last
 * evaluation is old, because its policy or executions may have changed. Lists repositories that were not
 * listed for a while and retries comments.
 */
export async function sweep(deps: SweepDeps, { thorough, signal }: SweepOptions): Promise<void> {
  await attemptWork(deps, "installations", () => discoverInstallations(deps, { thorough, signal }));
  if (isEnded(signal)) return;
  await enqueuePulls(deps, await listUndecidedPulls(deps.db, LANES_AT_ONCE));
  await enqueuePulls(
    deps,
    await listUnvisitedPulls(deps.db, computeRecentSpan(deps, VISIT_AGAIN_MS), VISITS_AT_ONCE),
  );
  await enqueueOverdue(deps);
  await enqueueComments(deps);
  const listed = await listUnlistedRepositories(
    deps.db,
    computeRecentSpan(deps, LIST_AGAIN_MS),
    REPOSITORIES_AT_ONCE,
  );
  for (const repository of listed) {
    if (isEnded(signal)) return;
    await attemptWork(deps, "pull requests", () => discoverPulls(deps, repository));
  }
}

/**
 * Reads the App's installations, and the repositories of those that changed or whose repositories were not listed for a while. Saves
 * for all processes which of them cover all repositories.
 */
async function discoverInstallations(deps: SweepDeps, { thorough, signal }: SweepOptions): Promise<void> {
  const askedAt = await readDatabaseTime(deps.db);
  const installations = await failAtRefusal(deps.app.installations());
  const values = new Map(installations.map(({ id, selection }) => [id, selection]));
  await saveSharedValues(deps.db, "coverage", { values, askedAt });
  const span = computeRecentSpan(deps, LIST_REPOSITORIES_AGAIN_MS);
  const recent = await listRecentInstallations(deps.db, [...values.keys()], span);
  for (const installation of installations) {
    if (isEnded(signal)) return;
    const { id, account, selection, suspended } = installation;
    const known = thorough ? undefined : recent.get(id);
    const isKnown =
      known?.owner_login === account &&
      known.repository_selection === selection &&
      known.suspended === suspended;
    if (isKnown) continue;
    await attemptWork(deps, `installation ${id}`, () => discoverRepositories(deps, installation));
  }
}

const isEnded = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

/** The clocks of replicas differ by less than this, in ms. */
const SKEW_MS = MINUTE_MS;

const computeRecentSpan = ({ clock }: SweepDeps, ms: number): Span => ({
  after: new Date(clock.now() - ms),
  now: new Date(clock.now() + SKEW_MS),
});

async function enqueuePulls(deps: SweepDeps, pulls: readonly PullKey[]): Promise<void> {
  for (const pull of pulls) await enqueueLane(deps, { kind: "pull", ...pull });
  await markSwept(deps.db, pulls, new Date(deps.clock.now()));
}

/** Retries comments that GitHub refused or that others changed, and replies that were not sent. */
async function enqueueComments(deps: SweepDeps): Promise<void> {
  for (const pull of await listDueComments(deps.db, new Date(deps.clock.now()), COMMENTS_AT_ONCE))
    await deps.queue.enqueueComment(formatLaneKey({ kind: "pull", ...pull }));
}

/** Retries comparisons after a merge for a limited time. */
async function enqueueOverdue(deps: SweepDeps): Promise<void> {
  const now = deps.clock.now();
  const between = { after: new Date(now - COMPARE_UNTIL_MS), before: new Date(now - COMPARE_LATE_MS) };
  for (const pull of await listOverdueComparisons(deps.db, between, COMPARISONS_AT_ONCE))
    await enqueueLane(deps, { kind: "pull", ...pull });
}

/** Logs a failure, so that one installation or repository that cannot be read does not stop the others. */
async function attemptWork(deps: SweepDeps, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    deps.log.warn({ what, error }, "a part of the sweep failed");
  }
}

interface DiscoverDeps extends EnqueueDeps {
  readonly app: GitHubApp;
  readonly operator: Pick<OperatorRules, "publicFigures">;
}

/** Reads one installation and its repositories after a change. An installation that no longer exists is left unchanged. */
export async function discoverInstallation(deps: DiscoverDeps, installationId: number): Promise<void> {
  await markInstallationChanged(deps.db, installationId);
  await announceChanges(deps.db);
  deps.app.forget(installationId);
  const installations = await failAtRefusal(deps.app.installations());
  const installation = installations.find(({ id }) => id === installationId);
  if (installation !== undefined) await discoverRepositories(deps, installation);
}

/** Saves an installation's repositories and the installation itself, as GitHub lists them. Throws when GitHub does not answer now. */
async function discoverRepositories(deps: DiscoverDeps, installation: InstallationFacts): Promise<void> {
  const now = new Date(deps.clock.now());
  const row = {
    installation_id: installation.id,
    owner_id: installation.accountId,
    owner_login: installation.account,
    repository_selection: installation.selection,
    suspended: installation.suspended,
  };
  const repositories = installation.suspended
    ? []
    : await failAtRefusal(listRepositories(deps.app.installation(installation.id)));
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
  const client = deps.app.installation(installationId);
  const listed = await failAtRefusal(listOpenPulls(client, { id, owner, name }));
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
  const bases = await failAtRefusal(listQueueBases(client, repositoryId));
  for (const baseRef of baseRefs) {
    if (!bases.has(baseRef)) continue;
    const queue = { repositoryId, owner, name, baseRef };
    for (const group of await failAtRefusal(listQueuedGroups(client, queue))) {
      const lane = formatLaneKey({ kind: "group", repositoryId, headSha: group.headSha });
      if ((await findLastEntry(deps.db, lane)) === null) await enqueueMergeGroup(deps, repositoryId, group);
    }
  }
}
