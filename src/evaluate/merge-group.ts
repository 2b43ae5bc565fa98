import type { CheckState } from "../github/checks/publish-check.ts";
import { ONE_SHOT_PREFIX } from "../github/head/one-shot-checks.ts";
import { MINUTE_MS } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import { formatLaneKey } from "../queue/names.ts";
import { enqueueLane, GROUP_MS } from "../queue/queue.ts";
import { keepCheckSignsTogether } from "../render/sign-joiners.ts";
import { listFormerNames } from "../store/check-runs.ts";
import { findMergeGroup } from "../store/merge-groups.ts";
import { findRepository } from "../store/repositories.ts";
import { buildUnlistedTarget, retireCheck, unlessRefused } from "./check.ts";
import { writeInTurn } from "./check-turn.ts";
import { buildPullUrl, buildQueueUrl, computeShownDigest } from "./comment-content.ts";
import { decideMergeGroup, type GroupEvaluation } from "./merge-group-verdict.ts";
import { type GroupRun, isNewest, type JobDeps, type LaneRun } from "./run/deps.ts";
import { AFTER_MS, findEarliest } from "./schedule.ts";

/**
 * Evaluates a merge group. It passes only if every pull request in it passed at exactly its queued head under
 * the current policy, and what they change together passes too. Null: it is gone.
 */
export async function evaluateMergeGroup(
  deps: JobDeps,
  lane: LaneRun<GroupRun["key"]>,
): Promise<GroupEvaluation | null> {
  const { repositoryId, headSha } = lane.key;
  const [repository, group] = await Promise.all([
    findRepository(deps.db, repositoryId),
    findMergeGroup(deps.db, repositoryId, headSha),
  ]);
  if (repository === undefined || group === undefined) return null;
  deps.telemetry.note({ repository: `${repository.owner_login}/${repository.name}` });
  const run: GroupRun = {
    ...lane,
    deps,
    client: deps.github(repository.installation_id),
    isCurrent: () => isNewest(deps, lane),
    repository,
    group,
  };
  const evaluation = await deps.telemetry.step("decide merge group", () => decideMergeGroup(run));
  if (evaluation === null) return null;
  await deps.telemetry.step("publish check", () => publishGroupCheck(run, evaluation));
  if (evaluation.verdict.kind === "behind") await waitForPulls(run, evaluation.verdict.pulls);
  await scheduleNext(run, evaluation);
  return evaluation;
}

async function publishGroupCheck(run: GroupRun, evaluation: GroupEvaluation): Promise<void> {
  const { deps, key, attempt, repository, group } = run;
  const { verdict, checkName, first } = evaluation;
  if (verdict.kind === "no_policy" && !deps.operator.alwaysCheck) return;
  const decision = toCheckState(evaluation);
  const target = buildUnlistedTarget(run, { ...key, checkName, baseRef: group.base_ref });
  const name = `${repository.owner_login}/${repository.name}`;
  const detailsUrl =
    first === null
      ? buildQueueUrl(deps, name, group.base_ref)
      : buildPullUrl(deps, { repository: name, number: first });
  const write = (work: () => Promise<void>) =>
    unlessRefused(deps.log, attempt.attempt, () =>
      work().catch(async (error: unknown) => {
        // Tried again later, because the sweep enqueues only merge groups that never were evaluated.
        if (error instanceof TollgateError)
          await deps.queue.setAlarm(formatLaneKey({ kind: "group", ...key }), deps.clock.now() + AGAIN_MS);
        throw error;
      }),
    );
  for (const former of await listFormerNames(deps.db, target)) {
    const retirement = { number: null, because: "renamed", detailsUrl } as const;
    await write(() => retireCheck(deps, { ...target, checkName: former }, retirement));
  }
  await write(() =>
    writeInTurn(deps, target, async (known) => {
      // Without a completed check there is nothing to withdraw, and the evaluations of pull requests are soon over.
      if (verdict.kind === "behind" && known?.completed !== true) return null;
      const output = keepCheckSignsTogether(deps.renderer.group(verdict, group.base_ref));
      const shown = computeShownDigest(group.head_sha, decision, output);
      const externalId = deps.isOneShot ? `${ONE_SHOT_PREFIX}${shown}` : shown;
      return { known, decision, output, externalId, detailsUrl, actions: [] };
    }),
  );
}

/** When a merge group's check that GitHub did not accept is tried again, in ms. */
const AGAIN_MS = 15 * MINUTE_MS;

function toCheckState({ verdict: { kind } }: GroupEvaluation): CheckState {
  if (kind === "behind" || kind === "planning") return { status: "in_progress" };
  const passes = kind === "passed" || kind === "no_policy";
  return { status: "completed", conclusion: passes ? "success" : "failure" };
}

/** Enqueues pull requests without a verdict under the current policy. The group is retried after them. */
async function waitForPulls({ deps, key }: GroupRun, pulls: readonly number[]): Promise<never> {
  const { repositoryId } = key;
  for (const number of pulls) await enqueueLane(deps, { kind: "pull", repositoryId, number });
  throw new TollgateError("github_failed", "queued pull requests are being evaluated under today's policy", {
    retryable: true,
  });
}

/** How often a group is evaluated while it waits for executions, in ms: a delivery may be lost, and facts may not be read yet. */
const POLL_MS = 2 * MINUTE_MS;

/**
 * Sets the lane's alarm for the next look at executions that the group waits for, and for the end of the next waiver: the sum of a group
 * may use one that no single pull request needs.
 */
async function scheduleNext({ deps, key }: GroupRun, evaluation: GroupEvaluation): Promise<void> {
  const { policy, waitsUntilMs } = evaluation;
  if (policy?.state !== "found") return;
  const nowMs = deps.clock.now();
  const ends = policy.policy.waivers.map(({ untilMs }) => untilMs);
  const next = findEarliest([
    ...ends.filter((endMs) => endMs > nowMs && endMs < nowMs + GROUP_MS).map((endMs) => endMs + AFTER_MS),
    ...(waitsUntilMs === undefined ? [] : [Math.min(waitsUntilMs + AFTER_MS, nowMs + POLL_MS)]),
  ]);
  if (next !== null) await deps.queue.setAlarm(formatLaneKey({ kind: "group", ...key }), next);
}
