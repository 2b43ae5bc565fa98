import type { SandboxPull } from "../state/pulls.ts";
import type { RequiredCheck } from "../state/repositories.ts";
import { buildCommitKey, type World } from "../state/world.ts";
import { findRuledBranch, listMergedTogether } from "./stack.ts";
import { findTestMerge } from "./test-merge.ts";

const PASSING_CONCLUSIONS = ["success", "neutral", "skipped"];

/** The words for a state that blocks merging. */
const BLOCKING_REASONS: Readonly<Record<string, string>> = {
  queued: "is not finished",
  in_progress: "is not finished",
  pending: "is not finished",
  action_required: "needs action",
  cancelled: "was cancelled",
  timed_out: "ran out of time",
  stale: "is stale",
};

/** Returns why a required check blocks a commit, or null when it passed. */
export function findObstacle(
  world: World,
  at: { repositoryId: number; sha: string },
  required: RequiredCheck,
): string | null {
  const state = [findCheckState(world, at, required), findStatusState(world, at, required)].filter(
    (result) => result !== null,
  );
  if (state.length === 0) return `the required check "${required.context}" is expected and not reported yet`;
  // A check run and a status of the same name are both required.
  const holding = state.find((result) => !PASSING_CONCLUSIONS.includes(result));
  return holding === undefined
    ? null
    : `the required check "${required.context}" ${BLOCKING_REASONS[holding] ?? "failed"}`;
}

/** Returns the reasons why GitHub would not merge the pull request now; empty when it would. */
export function listMergeObstacles(world: World, pull: SandboxPull): readonly string[] {
  const because: string[] = [];
  if (pull.state === "closed") because.push(pull.mergedAt === null ? "it is closed" : "it is merged already");
  if (pull.draft) because.push("it is still a draft");
  if (pull.state === "open" && findTestMerge(world, pull) === null) {
    because.push(`it conflicts with ${pull.baseRef}`);
  }
  return [...because, ...listMergedTogether(world, pull).flatMap((merged) => listOpenChecks(world, merged))];
}

function listOpenChecks(world: World, pull: SandboxPull): readonly string[] {
  const { repositoryId, headSha: sha } = pull;
  return listRequiredChecks(world, { repositoryId, baseRef: findRuledBranch(world, pull) }).flatMap(
    (required) => findObstacle(world, { repositoryId, sha }, required) ?? [],
  );
}

export function listRequiredChecks(
  world: World,
  on: { repositoryId: number; baseRef: string },
): readonly RequiredCheck[] {
  const protection = world.protections.find(
    (row) => row.repositoryId === on.repositoryId && row.branch === on.baseRef,
  );
  return protection?.requiredChecks ?? [];
}

/** Returns the state of the newest run of that name, from the required App when one is named. */
function findCheckState(world: World, at: { repositoryId: number; sha: string }, required: RequiredCheck) {
  const newest = world.checkRuns
    .group(buildCommitKey(at))
    .filter((run) => run.name === required.context)
    .findLast((run) => required.appId === null || run.appId === required.appId);
  if (newest === undefined) return null;
  return newest.status === "completed" ? (newest.conclusion ?? "completed") : newest.status;
}

/** A status counts for an App only if the App's own bot posted it. */
function findStatusState(world: World, at: { repositoryId: number; sha: string }, required: RequiredCheck) {
  const botId = required.appId === null ? null : world.apps.get(required.appId)?.botId;
  const newest = world.statuses
    .group(buildCommitKey(at))
    .filter((status) => status.context === required.context)
    .findLast((status) => botId === null || status.creatorId === botId);
  return newest?.state ?? null;
}
