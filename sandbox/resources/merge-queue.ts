import type { PullKey } from "../../src/kernel/ids.ts";
import { ApiRefusal, invalid } from "../api/call.ts";
import { createMergeCommit, createSignature } from "../state/git.ts";
import type { MergeGroup, Repository, SandboxPull } from "../state/records.ts";
import { findActingPerson, getObjects, requirePull, resolvePerson, type World } from "../state/world.ts";
import { setBranch } from "./branches.ts";
import { requestSuites } from "./check-runs.ts";
import { findRuledBranch, formatMergeMessage, listOpenChecks, type Mergeability } from "./merge-rule.ts";
import { closeAsMerged } from "./pull-verbs.ts";
import { deliverEvent } from "./repositories.ts";

export const createMergeQueueVerbs = (world: World) => ({
  /** Sends `merge_group.checks_requested` for one group of these pull requests, which share a base. */
  addToMergeQueue: (keys: readonly PullKey[], by?: string): MergeGroup => queuePulls(world, keys, by),
  /** Sends `merge_group.destroyed`. "merged" also moves the base branch and closes the pull requests. */
  destroyMergeGroup: (id: number, reason: "merged" | "invalidated" | "dequeued"): MergeGroup =>
    destroyGroup(world, world.mergeGroups.require(id), reason),
  groupMergeability: (id: number): Mergeability => {
    const { repositoryId, headSha, destroyed, ...group } = world.mergeGroups.require(id);
    const reasons = [
      ...(destroyed === null ? [] : [`the group is ${destroyed}`]),
      ...listOpenChecks(world, headSha, { repositoryId, baseRef: toBranch(group.baseRef) }),
    ];
    return { allowed: reasons.length === 0, reasons };
  },
});

const toBranch = (ref: string): string => ref.replace("refs/heads/", "");

/**
 * Creates a group behind those that wait: one merge commit per pull request, each on the previous one. Parents: the queue so far, then
 * the queued head.
 */
function queuePulls(world: World, keys: readonly PullKey[], by: string | undefined): MergeGroup {
  const pulls = keys.map((key) => requirePull(world, key));
  const [first, last] = [pulls[0], pulls.at(-1)];
  if (first === undefined || last === undefined)
    throw invalid({ resource: "MergeGroup", field: "pulls", code: "missing_field" });
  const repository = world.repositories.require(first.repositoryId);
  const baseBranch = findRuledBranch(world, first);
  const baseRef = `refs/heads/${baseBranch}`;
  const waiting = listGroups(world, repository, baseRef).findLast(({ destroyed }) => destroyed === null);
  const baseSha = waiting?.headSha ?? repository.branches.get(baseBranch) ?? first.baseSha;
  const commits: string[] = [];
  for (const pull of pulls) commits.push(writeGroupCommit(world, pull, commits.at(-1) ?? baseSha));
  const headSha = commits.at(-1) ?? baseSha;
  const branch = `gh-readonly-queue/${baseBranch}/pr-${last.number}-${baseSha}`;
  world.repositories.update(repository.id, { branches: new Map(repository.branches).set(branch, headSha) });
  const group = world.mergeGroups.insert({
    ...{ id: world.nextId("other"), repositoryId: repository.id, headSha, headRef: `refs/heads/${branch}` },
    ...{ baseSha, baseRef, numbers: pulls.map(({ number }) => number), commits, destroyed: null },
  });
  requestSuites(world, repository, headSha);
  emitGroupEvent(world, group, "checks_requested", resolvePerson(world, by, first.authorId).id);
  return group;
}

/** Returns the groups of a base branch, also those that ended. */
export const listGroups = (world: World, repository: Repository, baseRef: string): readonly MergeGroup[] =>
  world.mergeGroups.filter((group) => group.repositoryId === repository.id && group.baseRef === baseRef);

function writeGroupCommit(world: World, pull: SandboxPull, base: string): string {
  const repository = world.repositories.require(pull.repositoryId);
  const author = createSignature(world.accounts.require(pull.authorId), world.clock.now());
  const words = { message: formatMergeMessage(world, pull), author };
  const sha = createMergeCommit(getObjects(world, repository), { base, head: pull.headSha }, words);
  if (sha === null) throw new ApiRefusal(422, `Pull request #${pull.number} conflicts with the queue`);
  return sha;
}

function destroyGroup(
  world: World,
  group: MergeGroup,
  reason: "merged" | "invalidated" | "dequeued",
): MergeGroup {
  const { repositoryId, numbers, headSha, baseSha } = group;
  const branches = new Map(world.repositories.require(repositoryId).branches);
  branches.delete(toBranch(group.headRef));
  const repository = world.repositories.update(repositoryId, { branches });
  const gone = world.mergeGroups.update(group.id, { destroyed: reason });
  const by = findActingPerson(world, repository.ownerId);
  emitGroupEvent(world, gone, "destroyed", by.id);
  if (reason !== "merged") return gone;
  for (const number of numbers)
    closeAsMerged(world, requirePull(world, { repositoryId, number }), by, headSha);
  // The base branch moves once, after all pull requests were closed.
  setBranch(world, { repository, branch: toBranch(group.baseRef), before: baseSha, after: headSha, by });
  return gone;
}

function emitGroupEvent(
  world: World,
  group: MergeGroup,
  action: "checks_requested" | "destroyed",
  senderId: number,
): void {
  const repository = world.repositories.require(group.repositoryId);
  const merge_group = {
    head_sha: group.headSha,
    head_ref: group.headRef,
    base_sha: group.baseSha,
    base_ref: group.baseRef,
  };
  const payload = { merge_group, ...(group.destroyed !== null && { reason: group.destroyed }) };
  deliverEvent(world, { event: "merge_group", action, repository, senderId, payload });
}
