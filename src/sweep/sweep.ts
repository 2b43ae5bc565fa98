import type { Log } from "../evaluate/run/deps.ts";
import type { PullKey } from "../kernel/ids.ts";
import { enqueueLane } from "../queue/enqueue.ts";
import { laneKey } from "../queue/lane-key.ts";
import { overdueComparisons } from "../store/after-merge/merged-pulls.ts";
import { dueComments } from "../store/comment-problems.ts";
import { markSwept, undecidedPulls, unvisitedPulls } from "../store/pulls-to-sweep.ts";
import { unlistedRepositories } from "../store/repositories.ts";
import type { Span } from "../store/span.ts";
import { type DiscoverDeps, discoverAll, listPulls } from "./discover.ts";

export interface SweepDeps extends DiscoverDeps {
  readonly log: Log;
}

/** Open pull requests of a repository are listed again after this time, in ms, whatever deliveries said. */
const LIST_AGAIN_MS = 9 * 60_000;
/** Repositories listed in one sweep, and lanes woken for want of a verdict. */
const REPOSITORIES_AT_ONCE = 100;
const LANES_AT_ONCE = 500;
/** What was decided is looked at again after this time, in ms, so many at a time: an hour sees at most 600. */
const VISIT_AGAIN_MS = 30 * 60_000;
const VISITS_AT_ONCE = 30;
/** A comparison after a merge that is late by the first, and not by the second, is tried again; in ms. */
const COMPARE_LATE_MS = 10 * 60_000;
const COMPARE_UNTIL_MS = 24 * 3_600_000;
const COMPARISONS_AT_ONCE = 50;
/** Pull requests whose comments are tried again in one sweep. */
const COMMENTS_AT_ONCE = 100;

/**
 * The net under lost deliveries: wakes every open head without a final check, and those that nobody looked at for long,
 * whose policy or executions may have changed; lists repositories that were not looked at for a while; tries comments again.
 * `thorough` also learns where the App is installed.
 */
export async function sweep(deps: SweepDeps, { thorough }: { thorough: boolean }): Promise<void> {
  if (thorough) await attempt(deps, "installations", () => discoverAll(deps));
  await enqueuePull(deps, await undecidedPulls(deps.db, LANES_AT_ONCE));
  await enqueuePull(deps, await unvisitedPulls(deps.db, lately(deps, VISIT_AGAIN_MS), VISITS_AT_ONCE));
  await enqueueOverdue(deps);
  await askComments(deps);
  const listed = await unlistedRepositories(deps.db, lately(deps, LIST_AGAIN_MS), REPOSITORIES_AT_ONCE);
  for (const repository of listed) {
    await attempt(deps, "pull requests", () => listPulls(deps, repository));
  }
}

/** Clocks of replicas differ by less, in ms. */
const SKEW_MS = 60_000;

const lately = ({ clock }: SweepDeps, ms: number): Span => ({
  after: new Date(clock.now() - ms),
  now: new Date(clock.now() + SKEW_MS),
});

async function enqueuePull(deps: SweepDeps, pulls: readonly PullKey[]): Promise<void> {
  for (const pull of pulls) await enqueueLane(deps, { kind: "pull", ...pull });
  await markSwept(deps.db, pulls, new Date(deps.clock.now()));
}

/** Comments that GitHub refused, that others changed, and answers that were not sent are tried again. */
async function askComments(deps: SweepDeps): Promise<void> {
  for (const pull of await dueComments(deps.db, new Date(deps.clock.now()), COMMENTS_AT_ONCE))
    await deps.queue.enqueueComment(laneKey({ kind: "pull", ...pull }));
}

/** What is to be compared after a merge is not given up at once, nor looked for for ever. */
async function enqueueOverdue(deps: SweepDeps): Promise<void> {
  const now = deps.clock.now();
  const between = { after: new Date(now - COMPARE_UNTIL_MS), before: new Date(now - COMPARE_LATE_MS) };
  for (const pull of await overdueComparisons(deps.db, between, COMPARISONS_AT_ONCE))
    await enqueueLane(deps, { kind: "pull", ...pull });
}

/** One repository that cannot be read does not keep the others waiting. */
async function attempt(deps: SweepDeps, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    deps.log.warn({ what, error }, "the sweep could not look");
  }
}
