import type { CheckState } from "../../github/checks/check-write.ts";
import { publishCheck } from "../../github/checks/publish-check.ts";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { checkNameFor } from "../../policy/check/check-name.ts";
import { unbrokenCheck } from "../../render/format/unbroken.ts";
import { findRun, saveRun, touchSlot } from "../../store/check-runs.ts";
import { type Fence, holds } from "../../store/lanes.ts";
import { findMergeGroup, type MergeGroup } from "../../store/merge-groups.ts";
import { findRepository, type Repository } from "../../store/repositories.ts";
import type { JobDeps } from "../deps.ts";
import { laneKey } from "../lane-key.ts";
import { pullPage, queuePage } from "../publish/details.ts";
import { digestOf } from "../publish/digest.ts";
import { publishedOf } from "../publish/outcome.ts";
import type { Attempt } from "../queue/workers.ts";
import { wakeLane } from "../wake.ts";
import { type JudgedGroup, judgeGroup } from "./judge-group.ts";

export interface GroupKey {
  readonly repositoryId: number;
  readonly headSha: string;
}

/**
 * Decides a merge group: it passes only if every pull request in it passed at exactly its queued head under today's policy, and
 * so does the sum of them.
 */
export async function runGroup(
  deps: JobDeps,
  { key, fence }: { readonly key: GroupKey; readonly fence: Fence },
  attempt: Attempt,
): Promise<void> {
  const [repository, group] = await Promise.all([
    findRepository(deps.db, key.repositoryId),
    findMergeGroup(deps.db, key.repositoryId, key.headSha),
  ]);
  if (repository === undefined || group === undefined) return;
  const client = deps.github(repository.installation_id);
  const judged = await judgeGroup(deps, client, { repository, group, attempt });
  if (judged === null) return;
  const stillCurrent = async () => !attempt.signal.aborted && (await holds(deps.db, fence));
  await publish(deps, client, { repository, group, judged, stillCurrent });
  if (judged.verdict.kind === "behind") await waitFor(deps, key, judged.verdict.pulls);
}

/** Pull requests that are not judged yet under today's policy look at it now, and the group after them. */
async function waitFor(deps: JobDeps, { repositoryId }: GroupKey, pulls: readonly number[]): Promise<never> {
  for (const number of pulls) await wakeLane(deps, { kind: "pull", repositoryId, number });
  throw new TollgateError("github_failed", "queued pull requests are being judged under today's policy", {
    retryable: true,
  });
}

/** When a merge group's check that GitHub did not take is tried anew, in ms: the queue's own tries are over then. */
const AGAIN_MS = 15 * 60_000;

interface Publication {
  readonly repository: Repository;
  readonly group: MergeGroup;
  readonly judged: JudgedGroup;
  readonly stillCurrent: () => Promise<boolean>;
}

function detailsOf(deps: JobDeps, { repository, group, judged }: Publication): string {
  const name = `${repository.owner_login}/${repository.name}`;
  return judged.first === null
    ? queuePage(deps, name, group.base_ref)
    : pullPage(deps, { repository: name, number: judged.first });
}

function stateOf({ verdict: { kind } }: JudgedGroup): CheckState {
  if (kind === "behind") return { status: "in_progress" };
  const passes = kind === "passed" || kind === "no_policy";
  return { status: "completed", conclusion: passes ? "success" : "failure" };
}

async function publish(deps: JobDeps, client: InstallationClient, publication: Publication): Promise<void> {
  const { repository, group, judged, stillCurrent } = publication;
  if (judged.verdict.kind === "no_policy" && !deps.operator.alwaysCheck) return;
  const policy = judged.policy?.state === "found" ? judged.policy.policy : null;
  const checkName = checkNameFor(policy, group.base_ref);
  const slot = { repositoryId: repository.repository_id, headSha: group.head_sha, checkName };
  await touchSlot(deps.db, slot, new Date(deps.clock.now()));
  const run = await findRun(deps.db, slot);
  const decision = stateOf(judged);
  // While nothing stands that could let the group through, there is nothing to take back.
  if (decision.status === "in_progress" && run?.completed !== true) return;
  const outcome = await publishCheck(client, {
    repositoryId: repository.repository_id,
    headSha: group.head_sha,
    checkName,
    known: run?.checkRunId
      ? { checkRunId: run.checkRunId, digest: run.digest, completed: run.completed }
      : null,
    decision,
    output: unbrokenCheck(deps.renderer.group(judged.verdict, group.base_ref)),
    externalId: digestOf([group.head_sha, group.base_ref, judged.verdict]),
    detailsUrl: detailsOf(deps, publication),
    actions: [],
    stillCurrent,
  });
  if ("known" in outcome) await saveRun(deps.db, { ...slot, ...outcome.known }, new Date(deps.clock.now()));
  const { state } = publishedOf(outcome);
  if (state === "failed" || state === "refused") {
    // The sweep knows no merge groups: where the queue gives up, the lane itself looks again.
    const lane = laneKey({ kind: "group", repositoryId: slot.repositoryId, headSha: slot.headSha });
    await deps.queue.setAlarm(lane, deps.clock.now() + AGAIN_MS);
    throw new TollgateError("github_failed", "the merge group's check was not taken", { retryable: true });
  }
}
