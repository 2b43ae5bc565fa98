import { GitHubError } from "../github/client/result.ts";
import type { HeadState } from "../github/head/head-state.ts";
import { readHead } from "../github/head/read-head.ts";
import { MINUTE_MS } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { PullKey } from "../kernel/ids.ts";
import { toStorableText } from "../kernel/storable.ts";
import { formatLaneKey } from "../queue/names.ts";
import { enqueueLane } from "../queue/queue.ts";
import { findEvaluation } from "../store/evaluations.ts";
import { findInstallation, setSuspended } from "../store/installations.ts";
import { findPull, listOpenCommitPulls, savePull } from "../store/pulls.ts";
import { findRepository, type Repository, saveRepository } from "../store/repositories.ts";
import { usesCodeOwners } from "./code-owners.ts";
import {
  type CurrentHead,
  canShowFigures,
  describePull,
  isNewest,
  type JobDeps,
  type LaneRun,
  type PullRun,
} from "./run/deps.ts";

/**
 * Reads a pull request from GitHub and saves its head. Null: there is nothing to evaluate.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export async function refreshHead(deps: JobDeps, lane: LaneRun<PullKey>): Promise<CurrentHead | null> {
  const { repositoryId, number } = lane.key;
  const repository = await findRepository(deps.db, repositoryId);
  if (repository === undefined) return null;
  if ((await findInstallation(deps.db, repository.installation_id))?.suspended) return null;
  deps.telemetry.note(describePull(repository, number));
  const { fence, attempt } = lane;
  const run: PullRun = {
    deps,
    key: { repositoryId, number },
    fence,
    attempt,
    client: deps.github(repository.installation_id),
    startedMs: deps.clock.monotonicMs(),
    isCurrent: () => isNewest(deps, lane),
  };
  const before = await findEvaluation(deps.db, run.key);
  const head = await readFromGitHub(run, repository, before !== null && usesCodeOwners(before.evaluation));
  return head !== null && (await run.isCurrent()) ? saveHead(run, head, before) : null;
}

/**
 * After this many attempts, a pull request that GitHub does not return counts as gone; before, replicas may
 * lag.
 */
const GONE_ATTEMPTS = 4;

async function readFromGitHub(
  run: PullRun,
  repository: Repository,
  codeOwners: boolean,
): Promise<HeadState | null> {
  const { deps, key, client, attempt } = run;
  const { owner_login: owner, name } = repository;
  const organisationPolicy = deps.operator.orgPolicy(owner);
  const claims = deps.isOneShot ? "one-shot checks" : "all";
  try {
    const head = await readHead(client, { owner, name, ...key, organisationPolicy, claims, codeOwners });
    if (head !== null || attempt.attempt >= GONE_ATTEMPTS) return head;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { kind, retryAfterMs } = error.failure;
    if (kind === "suspended") await setSuspended(deps.db, client.installationId, true);
    else if (kind === "rate_limited") {
      const atMs = deps.clock.now() + (retryAfterMs ?? MINUTE_MS);
      await deps.queue.setAlarm(formatLaneKey({ kind: "pull", ...key }), atMs);
    } else throw error;
    return null;
  }
  throw new TollgateError("github_failed", "GitHub does not show the pull request yet", { retryable: true });
}

async function saveHead(run: PullRun, head: HeadState, before: CurrentHead["before"]): Promise<CurrentHead> {
  const { deps, key, client } = run;
  const { repository, pull } = head;
  const { headSha, baseRef, number } = pull;
  const now = new Date(deps.clock.now());
  const ids = {
    repository_id: repository.id,
    installation_id: client.installationId,
    owner_id: repository.ownerId,
    figures: canShowFigures(deps.operator, repository),
    labels_at: new Date(repository.updatedMs),
  };
  await saveRepository(deps.db, { ...ids, owner_login: repository.owner, name: repository.name }, now);
  const known = await findPull(deps.db, key);
  const state = pull.state === "open" ? "open" : "closed";
  // The deadlines of a draft start when the pull request is ready for review.
  const wasDraft = before?.evaluation.pull.draft ?? false;
  const isReset = known?.state === "closed" || (!pull.draft && wasDraft);
  const row = { repositoryId: repository.id, number, headSha, baseRef, mergeSha: pull.testMergeSha };
  const update = { ...row, state, isReset, labels: toPullLabels(pull), known } as const;
  const sinceMs = await savePull(deps.db, update, now);
  const announced = known?.announced_sha ?? headSha;
  if (known !== undefined) {
    const isOver = state === "closed" || known.base_ref !== baseRef;
    const left = [known.head_sha, announced].filter((sha) => isOver || sha !== headSha);
    await enqueueSiblings(run, new Set(left));
  }
  return { ...run, head, before, sinceMs, canLag: announced !== headSha };
}

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** What pages show of a pull request beside its evaluation. */
const toPullLabels = (pull: HeadState["pull"]) => ({
  title: toStorableText(pull.title),
  author_id: pull.author?.id ?? null,
  author_login: pull.author?.login ?? null,
  is_draft: pull.draft,
  opened_at: toDate(pull.openedMs),
  merged_at: toDate(pull.mergedMs),
});

/**
 * Enqueues the other pull requests with the heads that this one left, or was announced to have: their check showed the worst decision of
 * all of them, or waited for this one's.
 */
async function enqueueSiblings({ deps, key }: PullRun, heads: ReadonlySet<string>): Promise<void> {
  const { repositoryId } = key;
  for (const sha of heads) {
    for (const { number } of await listOpenCommitPulls(deps.db, repositoryId, sha))
      if (number !== key.number) await enqueueLane(deps, { kind: "pull", repositoryId, number });
  }
}
