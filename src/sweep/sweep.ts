import type { Log } from "../evaluate/run/deps.ts";
import type { PullKey } from "../kernel/ids.ts";
import { enqueueLane } from "../queue/enqueue.ts";
import { formatLaneKey } from "../queue/lane-key.ts";
import { listOverdueComparisons } from "../store/after-merge/merged-pulls.ts";
import { listDueComments } from "../store/comment-problems.ts";
import { listRecentInstallations } from "../store/installations.ts";
import { listUndecidedPulls, listUnvisitedPulls, markSwept } from "../store/pulls.ts";
import { readDatabaseTime, saveSharedValues } from "../store/replicas/shared-installations.ts";
import { listUnlistedRepositories } from "../store/repositories.ts";
import type { Span } from "../store/span.ts";
import { type DiscoverDeps, discoverPulls, discoverRepositories, listInstallations } from "./discover.ts";

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
const LIST_REPOSITORIES_AGAIN_MS = 30 * 60_000;
/** After this time, in ms, the open pull requests of a repository are listed again, whatever deliveries arrived. */
const LIST_AGAIN_MS = 9 * 60_000;
/** Repositories that one sweep lists, and lanes that it enqueues because they have no verdict. */
const REPOSITORIES_AT_ONCE = 100;
const LANES_AT_ONCE = 500;
/** After this time, in ms, decided pull requests are evaluated again, so many at a time: at most 600 an hour. */
const VISIT_AGAIN_MS = 30 * 60_000;
const VISITS_AT_ONCE = 30;
/** A comparison after a merge is retried while it is late by more than the first and less than the second, in ms. */
const COMPARE_LATE_MS = 10 * 60_000;
const COMPARE_UNTIL_MS = 24 * 3_600_000;
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
  const installations = await listInstallations(deps);
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
const SKEW_MS = 60_000;

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
