import { NO_COMMIT } from "../../events/push.ts";
import type { JsonObject } from "../../formatters/json.ts";
import { formatLabel } from "../../formatters/pull.ts";
import { createMergeCommit, mergeFiles } from "../../git/merge.ts";
import { type GitSignature, writeCommit } from "../../git/objects.ts";
import { readSnapshot, writeSnapshot } from "../../git/snapshot.ts";
import { listMergeObstacles } from "../../rules/merge-rule.ts";
import { findRuledBranch, listMergedTogether } from "../../rules/stack.ts";
import { createSignature, findTestMerge, formatMergeMessage } from "../../rules/test-merge.ts";
import { findAccount, getObjects, requireAccount, requirePull } from "../../state/find.ts";
import type { SandboxPull } from "../../state/pulls.ts";
import { ApiRefusal, invalid } from "../../state/refusal.ts";
import type { World } from "../../state/world.ts";
import type { PullVerbs, UpdateMerge } from "../../verbs/pulls.ts";
import type { PushResult } from "../../verbs/repositories.ts";
import { addAccount } from "../accounts.ts";
import { applyChanges, setBranch } from "../branches.ts";
import { emitPullEvent } from "../pull-event.ts";
import { openPull } from "./open.ts";
import { dismissReview, editReview, reviewPull } from "./review.ts";
import { changeReviewers, listReviewerNames } from "./reviewers.ts";
import { retargetRest } from "./stacks.ts";

export const createPullVerbs = (world: World): PullVerbs => ({
  openPullRequest: (spec) => openPull(world, spec),
  pullRequest: (key) => requirePull(world, key),
  editPullRequest: (key, change) => editPull(world, requirePull(world, key), change),
  retargetPullRequest: (key, change) => retargetPull(world, requirePull(world, key), change),
  closePullRequest: (key, by) => closePull(world, requirePull(world, key), by),
  reopenPullRequest: (key, by) =>
    applyAction(world, requirePull(world, key), {
      action: "reopened",
      by,
      change: { state: "open", closedAt: null },
    }),
  mergePullRequest: (key, by) => mergePull(world, requirePull(world, key), by),
  updateBranch: (key, merge) => updatePullBranch(world, requirePull(world, key), merge ?? {}),
  convertToDraft: (key, by) => setDraft(world, requirePull(world, key), { draft: true, by }),
  markReadyForReview: (key, by) => setDraft(world, requirePull(world, key), { draft: false, by }),
  addLabel: (key, { label, by }) =>
    relabelPull(world, requirePull(world, key), { label, by, action: "labeled" }),
  removeLabel: (key, { label, by }) =>
    relabelPull(world, requirePull(world, key), { label, by, action: "unlabeled" }),
  lockConversation: (key, by) => lockPull(world, requirePull(world, key), { locked: true, by }),
  unlockConversation: (key, by) => lockPull(world, requirePull(world, key), { locked: false, by }),
  requestReviewers: (key, names) =>
    changeReviewers(world, requirePull(world, key), { ...names, action: "add" }),
  withdrawReviewers: (key, names) =>
    changeReviewers(world, requirePull(world, key), { ...names, action: "remove" }),
  requestedReviewers: (key) => listReviewerNames(world, requirePull(world, key)),
  review: (key, review) => reviewPull(world, requirePull(world, key), review),
  editReview: (id, body) => editReview(world, id, body),
  dismissReview: (id, by) => dismissReview(world, id, by),
  mergeability: (key) => {
    const reasons = listMergeObstacles(world, requirePull(world, key));
    return { allowed: reasons.length === 0, reasons };
  },
  testMerge: (key) => findTestMerge(world, requirePull(world, key)),
});

interface PullAction {
  readonly action: string;
  readonly by: string | undefined;
  readonly change: Partial<SandboxPull>;
  readonly extra?: JsonObject;
}

/** Changes the pull request and emits the event. */
function applyAction(world: World, pull: SandboxPull, what: PullAction): SandboxPull {
  const by = what.by === undefined ? world.accounts.require(pull.authorId) : requireAccount(world, what.by);
  const changed = world.pulls.update(pull.id, { ...what.change, updatedAt: world.clock.now() });
  return emitPullEvent(world, changed, { action: what.action, by, extra: what.extra ?? {} });
}

const closePull = (world: World, pull: SandboxPull, by: string | undefined): SandboxPull =>
  applyAction(world, pull, {
    action: "closed",
    by,
    change: { state: "closed", closedAt: world.clock.now() },
  });

const setDraft = (
  world: World,
  pull: SandboxPull,
  { draft, by }: { readonly draft: boolean; readonly by: string | undefined },
): SandboxPull =>
  applyAction(world, pull, {
    action: draft ? "converted_to_draft" : "ready_for_review",
    by,
    change: { draft },
  });

const lockPull = (
  world: World,
  pull: SandboxPull,
  { locked, by }: { readonly locked: boolean; readonly by: string | undefined },
): SandboxPull =>
  applyAction(world, pull, {
    action: locked ? "locked" : "unlocked",
    by,
    change: { locked, lockReason: locked ? "resolved" : null },
  });

function editPull(
  world: World,
  pull: SandboxPull,
  edited: { title?: string; body?: string; by?: string },
): SandboxPull {
  const { title, body, by } = edited;
  const changes = {
    ...(title === undefined ? {} : { title: { from: pull.title } }),
    ...(body === undefined ? {} : { body: { from: pull.body ?? "" } }),
  };
  const change = { title: title ?? pull.title, body: body ?? pull.body };
  return applyAction(world, pull, { action: "edited", by, change, extra: { changes } });
}

function retargetPull(world: World, pull: SandboxPull, to: { base: string; by?: string }): SandboxPull {
  const baseSha = world.repositories.require(pull.repositoryId).branches.get(to.base);
  if (baseSha === undefined) throw invalid({ resource: "PullRequest", field: "base", code: "invalid" });
  const changes = { base: { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } } };
  return applyAction(world, pull, {
    action: "edited",
    by: to.by,
    change: { baseRef: to.base, baseSha },
    extra: { changes },
  });
}

function relabelPull(
  world: World,
  pull: SandboxPull,
  what: { label: string; by: string | undefined; action: "labeled" | "unlabeled" },
): SandboxPull {
  const others = pull.labels.filter((name) => name !== what.label);
  const labels = what.action === "labeled" ? [...others, what.label] : others;
  const label = formatLabel(world, world.repositories.require(pull.repositoryId), what.label);
  return applyAction(world, pull, { action: what.action, by: what.by, change: { labels }, extra: { label } });
}

function mergePull(world: World, pull: SandboxPull, by: string | undefined): SandboxPull {
  const repository = world.repositories.require(pull.repositoryId);
  const who = by === undefined ? world.accounts.require(pull.authorId) : requireAccount(world, by);
  const branch = findRuledBranch(world, pull);
  const before = repository.branches.get(branch) ?? NO_COMMIT;
  const words = { message: formatMergeMessage(world, pull), author: createSignature(who, world.clock.now()) };
  const after = createMergeCommit(getObjects(world, repository), { base: before, head: pull.headSha }, words);
  if (after === null || pull.state === "closed") throw new ApiRefusal(405, "Pull Request is not mergeable");
  for (const below of listMergedTogether(world, pull).slice(0, -1))
    closeAsMerged(world, below, { by: who.login, sha: after, move: () => undefined });
  const merged = closeAsMerged(world, pull, {
    by: who.login,
    sha: after,
    move: () => setBranch(world, { repository, branch, before, after, by: who }),
  });
  retargetRest(world, merged);
  return merged;
}

/** Closes the pull request as merged; emits the push to the base branch after the closing, as GitHub does. */
export function closeAsMerged(
  world: World,
  pull: SandboxPull,
  merged: { by: string; sha: string; move: () => void },
): SandboxPull {
  const now = world.clock.now();
  const mergedById = requireAccount(world, merged.by).id;
  const change = { closedAt: now, mergedAt: now, mergedById, mergeCommitSha: merged.sha };
  const closed = applyAction(world, pull, {
    action: "closed",
    by: merged.by,
    change: { ...change, state: "closed" },
  });
  merged.move();
  return closed;
}

/** Merges the base branch into the head branch, as GitHub's button and its web editor for conflicts do. */
function updatePullBranch(world: World, pull: SandboxPull, merge: UpdateMerge): PushResult {
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
