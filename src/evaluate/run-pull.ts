import type { HeadState } from "../github/head/head-state.ts";
import { readHead } from "../github/head/read-head.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { PullKey } from "../kernel/ids.ts";
import { enqueueLane } from "../queue/enqueue.ts";
import { laneKey } from "../queue/lane-key.ts";
import type { Attempt } from "../queue/workers.ts";
import { type Fence, holds } from "../store/database/lanes.ts";
import { findEvaluation } from "../store/evaluations.ts";
import { findInstallation, setSuspended } from "../store/installations.ts";
import { findPull, openPullsOfCommit, type PullRow, savePull } from "../store/pulls.ts";
import { findRepository, type Repository, saveRepository } from "../store/repositories.ts";
import { closePull } from "./closed-pull.ts";
import { evaluateHead } from "./evaluate-head.ts";
import type { JobDeps } from "./run/deps.ts";
import type { PullRun } from "./run/pull-run.ts";

/** A pull request that GitHub does not show yet (just opened, replicas behind) is asked for again so many times. */
const GONE_ATTEMPTS = 4;

/** Runs the lane of one pull request once. Throws to be tried again later; everything it does may be done twice. */
export async function runPull(
  deps: JobDeps,
  { key: { repositoryId, number }, fence }: { readonly key: PullKey; readonly fence: Fence },
  attempt: Attempt,
): Promise<void> {
  const key = { repositoryId, number };
  const repository = await findRepository(deps.db, key.repositoryId);
  if (repository === undefined || (await isSuspended(deps, repository))) return;
  const run: PullRun = {
    deps,
    key,
    fence,
    attempt,
    client: deps.github(repository.installation_id),
    startedMs: deps.clock.monotonicMs(),
    stillCurrent: async () => !attempt.signal.aborted && (await holds(deps.db, fence)),
  };
  const head = await readOrStop(run, repository);
  if (head !== null) await savePullAndEvaluate(run, head);
}

async function isSuspended(deps: JobDeps, repository: Repository): Promise<boolean> {
  return (await findInstallation(deps.db, repository.installation_id))?.suspended ?? false;
}

/** The head as GitHub shows it; null when this run has nothing more to do. */
async function readOrStop(run: PullRun, repository: Repository): Promise<HeadState | null> {
  const { deps, key, client, attempt } = run;
  const { owner_login: owner, name } = repository;
  const organisationPolicy = deps.operator.orgPolicy;
  const answer = await readHead(client, { owner, name, ...key, organisationPolicy });
  switch (answer.state) {
    case "found":
      return answer.head;
    case "suspended":
      await setSuspended(deps.db, client.installationId, true);
      return null;
    case "rate_limited":
      await deps.queue.setAlarm(laneKey({ kind: "pull", ...key }), deps.clock.now() + answer.retryAfterMs);
      return null;
    case "gone":
      if (attempt.attempt >= GONE_ATTEMPTS) return null;
      throw unreadable("GitHub does not show the pull request yet");
    case "forbidden":
    case "unavailable":
      throw unreadable(answer.message);
  }
}

const unreadable = (message: string): TollgateError =>
  new TollgateError("github_failed", message, { retryable: true });

async function savePullAndEvaluate(run: PullRun, head: HeadState): Promise<void> {
  const { deps } = run;
  const { repository, pull } = head;
  if (!(await run.stillCurrent())) return;
  const now = new Date(deps.clock.now());
  const row = {
    repository_id: repository.id,
    installation_id: run.client.installationId,
    owner_id: repository.ownerId,
  };
  await saveRepository(deps.db, { ...row, owner_login: repository.owner, name: repository.name }, now);
  const known = await findPull(deps.db, run.key);
  const announced = known?.announced_sha ?? pull.headSha;
  const seen = {
    repositoryId: repository.id,
    number: pull.number,
    headSha: pull.headSha,
    baseRef: pull.baseRef,
  };
  const state = pull.state === "open" ? "open" : "closed";
  const anew = known?.state === "closed" || (!pull.draft && (await wasDraft(run)));
  const sinceMs = await savePull(deps.db, { ...seen, mergeSha: pull.testMergeSha, state, anew }, now);
  if (known?.head_sha !== pull.headSha || known.base_ref !== pull.baseRef || state === "closed")
    await enqueueSiblings(run, known);
  if (state === "open") await evaluateHead(run, head, { sinceMs, mayLag: announced !== pull.headSha });
  else await closePull(run, head, sinceMs);
}

/** Whether its newest evaluation found a draft, of which nothing was expected yet. */
const wasDraft = async ({ deps, key }: PullRun): Promise<boolean> =>
  (await findEvaluation(deps.db, key))?.evaluation.pull.draft ?? false;

/** Pull requests with the head that this one had share its check, which showed the worst of all of them. */
async function enqueueSiblings({ deps, key }: PullRun, known: PullRow | undefined): Promise<void> {
  if (known === undefined) return;
  for (const { repository_id: repositoryId, number } of await openPullsOfCommit(
    deps.db,
    key.repositoryId,
    known.head_sha,
  )) {
    if (number !== key.number) await enqueueLane(deps, { kind: "pull", repositoryId, number });
  }
}
