import { mergeFiles } from "../../git/merge.ts";
import { type GitSignature, writeCommit } from "../../git/objects.ts";
import { readSnapshot, writeSnapshot } from "../../git/snapshot.ts";
import { createSignature } from "../../rules/test-merge.ts";
import { findAccount, getObjects, requireAccount } from "../../state/find.ts";
import type { SandboxPull } from "../../state/pulls.ts";
import { invalid } from "../../state/refusal.ts";
import type { World } from "../../state/world.ts";
import type { UpdateMerge } from "../../verbs/pulls.ts";
import type { PushResult } from "../../verbs/repositories.ts";
import { addAccount } from "../accounts.ts";
import { applyChanges, setBranch } from "../branches.ts";

/** Merges the base branch into the head branch, as GitHub's button and its web editor for conflicts do. */
export function updatePullBranch(world: World, pull: SandboxPull, merge: UpdateMerge): PushResult {
  const base = world.repositories.require(pull.repositoryId);
  const repository = world.repositories.require(pull.headRepositoryId ?? pull.repositoryId);
  const objects = getObjects(world, base);
  const by = merge.by === undefined ? world.accounts.require(pull.authorId) : requireAccount(world, merge.by);
  const parents = merge.parents ?? [pull.headSha, base.branches.get(pull.baseRef) ?? pull.baseSha];
  const [head = "", other = ""] = parents;
  const merged = mergeFiles(objects, head, other);
  if (merged === null && merge.files === undefined)
    throw invalid({ resource: "PullRequest", field: "head", code: "conflict" });
  const files = applyChanges(objects, merged ?? readSnapshot(objects, head), merge.files ?? {});
  const now = world.clock.now();
  const { sha: after } = writeCommit(objects, {
    tree: writeSnapshot(objects, files),
    parents,
    author: createSignature(by, now),
    committer: createGitHubSignature(world, now),
    message: `Merge branch '${pull.baseRef}' into ${pull.headRef}`,
    isMadeByGitHub: merge.signature === undefined,
  });
  return setBranch(world, { repository, branch: pull.headRef, before: pull.headSha, after, by });
}

/** Git's name and address of GitHub itself, which everybody can write into a commit of their own. */
function createGitHubSignature(world: World, at: number): GitSignature {
  const account =
    findAccount(world, "web-flow") ?? addAccount(world, { login: "web-flow", type: "User", name: "GitHub" });
  return { name: "GitHub", email: "noreply@github.com", at, accountId: account.id };
}
