import type { PullKey } from "../../../src/kernel/ids.ts";
import { deliverEvent } from "../../events/deliver-event.ts";
import { formatHeadCommit } from "../../formatters/commit.ts";
import type { JsonObject } from "../../formatters/json.ts";
import { createMergeCommit } from "../../git/merge.ts";
import { findObstacle, listRequiredChecks } from "../../rules/merge-rule.ts";
import { findRuledBranch } from "../../rules/stack.ts";
import { createSignature, formatMergeMessage } from "../../rules/test-merge.ts";
import { findActingPerson, getObjects, requireAccount, requirePull } from "../../state/find.ts";
import type { MergeGroup, SandboxPull } from "../../state/pulls.ts";
import { ApiRefusal, invalid } from "../../state/refusal.ts";
import type { Repository } from "../../state/repositories.ts";
import type { World } from "../../state/world.ts";
import type { Mergeability, MergeQueueVerbs } from "../../verbs/pulls.ts";
import { setBranch } from "../branches.ts";
import { requestSuites } from "../suites.ts";
import { closeAsMerged } from "./verbs.ts";

export const createMergeQueueVerbs = (world: World): MergeQueueVerbs => ({
  addToMergeQueue: (pulls, by) => queuePulls(world, pulls, by),
  destroyMergeGroup: (id, reason) => destroyGroup(world, world.mergeGroups.require(id), reason),
  groupMergeability: (id) => checkMergeability(world, world.mergeGroups.require(id)),
});

/**
 * Creates a group behind those that wait: one merge commit per pull request, each on the previous one. Parents: the queue so far, then
 * the queued head.
 */
function queuePulls(world: World, keys: readonly PullKey[], by: string | undefined): MergeGroup {
  const pulls = keys.map((key) => requirePull(world, key));
  const [first] = pulls;
  if (first === undefined) throw invalid({ resource: "MergeGroup", field: "pulls", code: "missing_field" });
  const repository = world.repositories.require(first.repositoryId);
  const baseRef = findRuledBranch(world, first);
  const baseSha = findTip(world, repository, { baseRef, baseSha: first.baseSha });
  const commits: string[] = [];
  for (const pull of pulls) commits.push(writeGroupCommit(world, pull, commits.at(-1) ?? baseSha));
  const headSha = commits.at(-1) ?? baseSha;
  const last = pulls.at(-1) ?? first;
  const branch = `gh-readonly-queue/${baseRef}/pr-${last.number}-${baseSha}`;
  world.repositories.update(repository.id, {
    branches: new Map(repository.branches).set(branch, headSha),
  });
  const group = world.mergeGroups.insert({
    id: world.nextId("other"),
    repositoryId: repository.id,
    headSha,
    headRef: `refs/heads/${branch}`,
    baseSha,
    baseRef: `refs/heads/${baseRef}`,
    numbers: pulls.map((pull) => pull.number),
    commits,
    destroyed: null,
  });
  requestSuites(world, { repository, branch, before: baseSha, sha: headSha });
  const sender = by === undefined ? first.authorId : requireAccount(world, by).id;
  emitGroupEvent(world, group, { action: "checks_requested", senderId: sender, extra: {} });
  return group;
}

/** The head of the last group that waits, else of the base branch. */
function findTip(
  world: World,
  { id, branches }: Repository,
  { baseRef, baseSha }: Pick<SandboxPull, "baseRef" | "baseSha">,
): string {
  const waiting = world.mergeGroups.filter(
    (group) =>
      group.repositoryId === id && group.baseRef === `refs/heads/${baseRef}` && group.destroyed === null,
  );
  return waiting.at(-1)?.headSha ?? branches.get(baseRef) ?? baseSha;
}

function writeGroupCommit(world: World, pull: SandboxPull, tip: string): string {
  const repository = world.repositories.require(pull.repositoryId);
  const author = createSignature(world.accounts.require(pull.authorId), world.clock.now());
  const words = { message: formatMergeMessage(world, pull), author };
  const sha = createMergeCommit(getObjects(world, repository), { base: tip, head: pull.headSha }, words);
  if (sha === null) throw new ApiRefusal(422, `Pull request #${pull.number} conflicts with the queue`);
  return sha;
}

function destroyGroup(
  world: World,
  group: MergeGroup,
  reason: "merged" | "invalidated" | "dequeued",
): MergeGroup {
  const repository = world.repositories.require(group.repositoryId);
  const branches = new Map(repository.branches);
  branches.delete(group.headRef.replace("refs/heads/", ""));
  const cleaned = world.repositories.update(repository.id, { branches });
  const gone = world.mergeGroups.update(group.id, { destroyed: reason });
  const by = findActingPerson(world, world.accounts.require(repository.ownerId));
  emitGroupEvent(world, gone, { action: "destroyed", senderId: by.id, extra: { reason } });
  if (reason === "merged") mergeGroupPulls(world, gone, { repository: cleaned, by: by.login });
  return gone;
}

/** The base branch moves once, after all pull requests were closed. */
function mergeGroupPulls(world: World, group: MergeGroup, at: { repository: Repository; by: string }): void {
  const branch = group.baseRef.replace("refs/heads/", "");
  const moved = () => {
    const by = requireAccount(world, at.by);
    const after = group.headSha;
    setBranch(world, { repository: at.repository, branch, before: group.baseSha, after, by });
  };
  for (const [index, number] of group.numbers.entries()) {
    const pull = requirePull(world, { repositoryId: group.repositoryId, number });
    const move = index === group.numbers.length - 1 ? moved : () => undefined;
    closeAsMerged(world, pull, { by: at.by, sha: group.headSha, move });
  }
}

function checkMergeability(world: World, group: MergeGroup): Mergeability {
  const on = { repositoryId: group.repositoryId, baseRef: group.baseRef.replace("refs/heads/", "") };
  const at = { repositoryId: group.repositoryId, sha: group.headSha };
  const because = listRequiredChecks(world, on)
    .map((required) => findObstacle(world, at, required))
    .filter((obstacle) => obstacle !== null);
  if (group.destroyed !== null) because.unshift(`the group is ${group.destroyed}`);
  return { allowed: because.length === 0, reasons: because };
}

function emitGroupEvent(
  world: World,
  group: MergeGroup,
  what: { action: string; senderId: number; extra: JsonObject },
): void {
  const repository = world.repositories.require(group.repositoryId);
  const payload = {
    merge_group: {
      head_sha: group.headSha,
      head_ref: group.headRef,
      base_sha: group.baseSha,
      base_ref: group.baseRef,
      head_commit: formatHeadCommit(world, repository, group.headSha),
    },
    ...what.extra,
  };
  deliverEvent(world, {
    event: "merge_group",
    action: what.action,
    repository,
    senderId: what.senderId,
    payload,
  });
}
