import type { CheckState } from "../../github/checks/check-write.ts";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { formatLaneKey } from "../../queue/names.ts";
import { enqueueLane, GROUP_MS } from "../../queue/queue.ts";
import type { JobAttempt } from "../../queue/workers.ts";
import { keepCheckSignsTogether } from "../../render/sign-joiners.ts";
import { listFormerNames } from "../../store/check-runs.ts";
import { type Fence, isFenceHeld } from "../../store/database/lanes.ts";
import { findMergeGroup, type MergeGroup } from "../../store/merge-groups.ts";
import { findRepository, type Repository } from "../../store/repositories.ts";
import { retireCheck } from "../publish/check.ts";
import { buildPullUrl, buildQueueUrl, computeShownDigest } from "../publish/comment-content.ts";
import { handlePublishOutcome } from "../publish/handle-outcome.ts";
import type { PublishOutcome } from "../publish/write-in-turn.ts";
import { type CurrentCheckTarget, writeInTurn } from "../publish/write-in-turn.ts";
import type { JobDeps } from "../run/deps.ts";
import { findEarliest } from "../schedule.ts";
import { decideMergeGroup, type GroupEvaluation } from "./decide-merge-group.ts";

export interface GroupKey {
  readonly repositoryId: number;
  readonly headSha: string;
}

/**
 * Evaluates a merge group. It passes only if every pull request in it passed at exactly its queued head under
 * the current policy, and their sum passes too.
 */
export async function evaluateMergeGroup(
  deps: JobDeps,
  { key, fence }: { readonly key: GroupKey; readonly fence: Fence },
  attempt: JobAttempt,
): Promise<void> {
  const [repository, group] = await Promise.all([
    findRepository(deps.db, key.repositoryId),
    findMergeGroup(deps.db, key.repositoryId, key.headSha),
  ]);
  if (repository === undefined || group === undefined) return;
  deps.telemetry.note({ repository: `${repository.owner_login}/${repository.name}` });
  const client = deps.github(repository.installation_id);
  const evaluation = await deps.telemetry.step("decide merge group", () =>
    decideMergeGroup(deps, client, { repository, group, attempt }),
  );
  if (evaluation === null) return;
  const isCurrent = async () => !attempt.signal.aborted && (await isFenceHeld(deps.db, fence));
  const published = await deps.telemetry.step("publish check", () =>
    publishGroupCheck(deps, client, { repository, group, evaluation, fence, attempt, isCurrent }),
  );
  if (published.state !== "published") return;
  if (evaluation.verdict.kind === "behind") await waitForPulls(deps, key, evaluation.verdict.pulls);
  await scheduleWaiverEnd(deps, key, evaluation);
}

/** Added to the end of a waiver, in ms, so that it has certainly ended. */
const AFTER_MS = 1_000;

/** Sets the lane's alarm for the end of the next waiver: the sum of a group may use one that no single pull request needs. */
async function scheduleWaiverEnd(deps: JobDeps, key: GroupKey, { policy }: GroupEvaluation): Promise<void> {
  if (policy?.state !== "found") return;
  const nowMs = deps.clock.now();
  const ends = policy.policy.waivers.map(({ untilMs }) => untilMs);
  const next = findEarliest(ends.filter((endMs) => endMs > nowMs && endMs < nowMs + GROUP_MS));
  if (next !== null) await deps.queue.setAlarm(formatLaneKey({ kind: "group", ...key }), next + AFTER_MS);
}

/** Enqueues pull requests without a verdict under the current policy. The group is retried after them. */
async function waitForPulls(
  deps: JobDeps,
  { repositoryId }: GroupKey,
  pulls: readonly number[],
): Promise<never> {
  for (const number of pulls) await enqueueLane(deps, { kind: "pull", repositoryId, number });
  throw new TollgateError("github_failed", "queued pull requests are being evaluated under today's policy", {
    retryable: true,
  });
}

/** When a merge group's check that GitHub did not accept is tried again, in ms. */
const AGAIN_MS = 15 * MINUTE_MS;

interface Publication {
  readonly repository: Repository;
  readonly group: MergeGroup;
  readonly evaluation: GroupEvaluation;
  readonly fence: Fence;
  readonly attempt: JobAttempt;
  readonly isCurrent: () => Promise<boolean>;
}

function buildDetailsUrl(deps: JobDeps, { repository, group, evaluation }: Publication): string {
  const name = `${repository.owner_login}/${repository.name}`;
  return evaluation.first === null
    ? buildQueueUrl(deps, name, group.base_ref)
    : buildPullUrl(deps, { repository: name, number: evaluation.first });
}

function toCheckState({ verdict: { kind } }: GroupEvaluation): CheckState {
  if (kind === "behind") return { status: "in_progress" };
  const passes = kind === "passed" || kind === "no_policy";
  return { status: "completed", conclusion: passes ? "success" : "failure" };
}

/** Fails the checks of the group under former names. */
async function retireFormerNames(
  deps: JobDeps,
  target: CurrentCheckTarget,
  publication: Publication,
): Promise<void> {
  const detailsUrl = buildDetailsUrl(deps, publication);
  for (const checkName of await listFormerNames(deps.db, target)) {
    const retirement = { number: null, because: "renamed", detailsUrl } as const;
    await handleGroupOutcome(
      deps,
      publication,
      await retireCheck(deps, { ...target, checkName }, retirement),
    );
  }
}

/**
 * Handles the outcome of a write. What GitHub did not accept is tried again later, because the sweep enqueues only merge
 * groups that never were evaluated.
 *
 * @throws TollgateError `github_failed`, retryable
 */
async function handleGroupOutcome(
  deps: JobDeps,
  { group, attempt }: Publication,
  outcome: PublishOutcome,
): Promise<void> {
  if ("failure" in outcome) {
    const { repository_id: repositoryId, head_sha: headSha } = group;
    const lane = formatLaneKey({ kind: "group", repositoryId, headSha });
    await deps.queue.setAlarm(lane, deps.clock.now() + AGAIN_MS);
  }
  handlePublishOutcome({ log: deps.log, attempt }, outcome);
}

async function publishGroupCheck(
  deps: JobDeps,
  client: InstallationClient,
  publication: Publication,
): Promise<PublishOutcome> {
  const { group, evaluation, fence, isCurrent } = publication;
  if (evaluation.verdict.kind === "no_policy" && !deps.operator.alwaysCheck) return { state: "published" };
  const { repository_id: repositoryId, base_ref: baseRef } = group;
  const decision = toCheckState(evaluation);
  const target = {
    client,
    repositoryId,
    repositoryNodeId: null,
    headSha: group.head_sha,
    checkName: evaluation.checkName,
    baseRef,
    listedRun: null,
    listedState: null,
    fence,
    isCurrent,
  };
  await retireFormerNames(deps, target, publication);
  const published = await writeInTurn(deps, target, async (known) => {
    // Without a completed check there is nothing to withdraw.
    if (decision.status === "in_progress" && known?.completed !== true) return null;
    const output = keepCheckSignsTogether(deps.renderer.group(evaluation.verdict, group.base_ref));
    return {
      known,
      decision,
      output,
      externalId: computeShownDigest(group.head_sha, decision, output),
      detailsUrl: buildDetailsUrl(deps, publication),
      actions: [],
    };
  });
  await handleGroupOutcome(deps, publication, published);
  return published;
}
