import type { PullKey } from "../../src/kernel/ids.ts";
import { ApiRefusal, invalid, type JsonObject } from "../api/call.ts";
import {
  applyChanges,
  createLinearCommits,
  createMergeCommit,
  createSignature,
  type FileTree,
  type GitSignature,
  type MergeMethod,
  mergeFiles,
  NO_COMMIT,
  readSnapshot,
  writeCommit,
  writeSnapshot,
} from "../state/git.ts";
import type { Account, PreparedPush, Repository, SandboxPull } from "../state/records.ts";
import {
  buildPullKey,
  findAccount,
  findRepository,
  getObjects,
  requirePull,
  requireRepository,
  resolveActor,
  resolvePerson,
  type World,
} from "../state/world.ts";
import { addAccount } from "./accounts.ts";
import { type PushResult, setBranch } from "./branches.ts";
import { findRuledBranch, formatMergeMessage, listMergedTogether } from "./merge-rule.ts";
import { emitPullEvent } from "./pulls.ts";
import { retargetRest } from "./stacks.ts";

export interface NewPull {
  readonly repository: string;
  /** "branch", or "owner:branch" for a branch of that owner's fork. */
  readonly head: string;
  /** Default: the default branch. */
  readonly base?: string;
  readonly title: string;
  readonly body?: string;
  readonly draft?: boolean;
  /** Login; default the head repository's owner or the organisation's first admin. */
  readonly author?: string;
}

export interface UpdateMerge {
  readonly by?: string;
  /** What somebody chose in the web editor for conflicts, on top of the merge; of a file that both sides changed, the head's is the default. */
  readonly files?: FileTree;
  /** Commits to merge; default the head and the base branch. The first one is the head before the push. */
  readonly parents?: readonly string[];
  /** Default: GitHub makes and signs it. `unsigned`: a person's commit that names GitHub as committer. */
  readonly signature?: "unsigned";
}

interface LabelChange {
  readonly label: string;
  readonly by?: string;
}

/** Pull requests. Where `by` is left out, the pull request's author acts. Each verb sends the delivery of its name. */
export const createPullVerbs = (world: World) => ({
  openPullRequest: (spec: NewPull): SandboxPull => openPull(world, spec),
  /** Returns the current state. */
  pullRequest: (key: PullKey): SandboxPull => requirePull(world, key),
  editPullRequest: (key: PullKey, change: { title?: string; body?: string; by?: string }): SandboxPull => {
    const pull = requirePull(world, key);
    const { title, body, by } = change;
    const changes = {
      ...(title === undefined ? {} : { title: { from: pull.title } }),
      ...(body === undefined ? {} : { body: { from: pull.body ?? "" } }),
    };
    const edited = { title: title ?? pull.title, body: body ?? pull.body };
    return changePull(world, key, edited, { action: "edited", by, extra: { changes } });
  },
  /** Sends `pull_request.edited` with `changes.base`. */
  retargetPullRequest: (key: PullKey, { base: baseRef, by }: { base: string; by?: string }): SandboxPull => {
    const pull = requirePull(world, key);
    const baseSha = world.repositories.require(pull.repositoryId).branches.get(baseRef);
    if (baseSha === undefined) throw invalid({ resource: "PullRequest", field: "base", code: "invalid" });
    const changes = { base: { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } } };
    return changePull(world, key, { baseRef, baseSha }, { action: "edited", by, extra: { changes } });
  },
  closePullRequest: (key: PullKey, by?: string): SandboxPull =>
    changePull(world, key, { state: "closed", closedAt: world.clock.now() }, { action: "closed", by }),
  reopenPullRequest: (key: PullKey, by?: string): SandboxPull =>
    changePull(world, key, { state: "open", closedAt: null }, { action: "reopened", by }),
  /** Merges whatever the checks say, as an administrator may, with those below it in its stack. Sends `pull_request.closed` and the base branch's `push`. */
  mergePullRequest: (key: PullKey, by?: string, method: MergeMethod = "merge"): SandboxPull =>
    mergePull(world, requirePull(world, key), { login: by, method }),
  /** Presses "Update branch": GitHub merges the base into the head branch. Sends the same deliveries as a push. */
  updateBranch: (key: PullKey, merge: UpdateMerge = {}): PushResult =>
    updatePullBranch(world, requirePull(world, key), merge),
  /** What a visitor of the pull request's page can let its author push. */
  offerPushes: (key: PullKey, pushes: readonly PreparedPush[]): void => {
    world.preparedPushes.set(buildPullKey(requirePull(world, key)), pushes);
  },
  convertToDraft: (key: PullKey, by?: string): SandboxPull =>
    changePull(world, key, { draft: true }, { action: "converted_to_draft", by }),
  markReadyForReview: (key: PullKey, by?: string): SandboxPull =>
    changePull(world, key, { draft: false }, { action: "ready_for_review", by }),
  addLabel: (key: PullKey, change: LabelChange): SandboxPull => relabel(world, key, change, "labeled"),
  removeLabel: (key: PullKey, change: LabelChange): SandboxPull => relabel(world, key, change, "unlabeled"),
  lockConversation: (key: PullKey, by?: string): SandboxPull =>
    changePull(world, key, { locked: true }, { action: "locked", by }),
  unlockConversation: (key: PullKey, by?: string): SandboxPull =>
    changePull(world, key, { locked: false }, { action: "unlocked", by }),
});

/** Changes the pull request and emits the event. */
function changePull(
  world: World,
  key: PullKey,
  change: Partial<SandboxPull>,
  { action, by: login, extra = {} }: { action: string; by: string | undefined; extra?: JsonObject },
): SandboxPull {
  const pull = requirePull(world, key);
  const by = resolvePerson(world, login, pull.authorId);
  const changed = world.pulls.update(pull.id, change);
  return emitPullEvent(world, changed, { action, by, extra });
}

function relabel(
  world: World,
  key: PullKey,
  { label: name, by }: LabelChange,
  action: "labeled" | "unlabeled",
): SandboxPull {
  const pull = requirePull(world, key);
  const others = pull.labels.filter((one) => one !== name);
  const labels = action === "labeled" ? [...others, name] : others;
  return changePull(world, key, { labels }, { action, by, extra: { label: { name } } });
}

/** Opens a pull request from a branch of the repository or of a fork in its network. */
function openPull(world: World, spec: NewPull): SandboxPull {
  const repository = requireRepository(world, spec.repository);
  const baseRef = spec.base ?? repository.defaultBranch;
  const baseSha = repository.branches.get(baseRef);
  if (baseSha === undefined) throw invalid({ resource: "PullRequest", field: "base", code: "invalid" });
  const head = resolveHead(world, repository, spec.head);
  const author = resolveActor(world, head.repository, spec.author);
  const pull = world.pulls.insert({
    id: world.nextId("pull"),
    repositoryId: repository.id,
    number: 1 + Math.max(0, ...world.pulls.group(String(repository.id)).map(({ number }) => number)),
    title: spec.title,
    body: spec.body ?? null,
    authorId: author.id,
    state: "open",
    draft: spec.draft ?? false,
    labels: [],
    locked: false,
    headRepositoryId: head.repository.id,
    headOwnerId: head.repository.ownerId,
    headRef: head.ref,
    headSha: head.sha,
    baseRef,
    baseSha,
    createdAt: world.clock.now(),
    closedAt: null,
    mergedAt: null,
    mergedById: null,
    reviewerIds: [],
    reviewerTeamIds: [],
    mergeCommitSha: null,
  });
  return emitPullEvent(world, pull, { action: "opened", by: author });
}

function resolveHead(
  world: World,
  base: Repository,
  head: string,
): { repository: Repository; ref: string; sha: string } {
  const [, owner, ref = ""] = /^(?:([^:]+):)?(.*)$/.exec(head) ?? [];
  const repository = owner === undefined ? base : findFork(world, base, owner);
  const sha = repository?.branches.get(ref);
  if (repository === null || sha === undefined)
    throw invalid({ resource: "PullRequest", field: "head", code: "invalid" });
  return { repository, ref, sha };
}

function findFork(world: World, base: Repository, login: string): Repository | null {
  const ownerId = findAccount(world, login)?.id;
  return (
    world.repositories.find((row) => row.networkId === base.networkId && row.ownerId === ownerId) ??
    findRepository(world, `${login}/${base.name}`)
  );
}

function mergePull(
  world: World,
  pull: SandboxPull,
  { login, method }: { login: string | undefined; method: MergeMethod },
): SandboxPull {
  const repository = world.repositories.require(pull.repositoryId);
  const by = resolvePerson(world, login, pull.authorId);
  const branch = findRuledBranch(world, pull);
  const before = repository.branches.get(branch) ?? NO_COMMIT;
  const words = { message: formatMergeMessage(world, pull), author: createSignature(by, world.clock.now()) };
  const [objects, sides] = [getObjects(world, repository), { base: before, head: pull.headSha }];
  const after =
    method === "merge"
      ? createMergeCommit(objects, sides, words)
      : createLinearCommits(objects, { ...sides, method }, words);
  if (after === null || pull.state === "closed") throw new ApiRefusal(405, "Pull Request is not mergeable");
  // The push to the base branch follows the closing, as on GitHub.
  for (const one of listMergedTogether(world, pull)) closeAsMerged(world, one, by, after);
  setBranch(world, { repository, branch, before, after, by });
  retargetRest(world, pull);
  return requirePull(world, pull);
}

export function closeAsMerged(world: World, pull: SandboxPull, by: Account, sha: string): SandboxPull {
  const now = world.clock.now();
  const merged = { mergedAt: now, mergedById: by.id, mergeCommitSha: sha };
  const change = { ...merged, closedAt: now, state: "closed" } as const;
  return changePull(world, pull, change, { action: "closed", by: by.login });
}

/** Merges the base branch into the head branch, as GitHub's button and its web editor for conflicts do. */
function updatePullBranch(world: World, pull: SandboxPull, merge: UpdateMerge): PushResult {
  const base = world.repositories.require(pull.repositoryId);
  const repository = world.repositories.require(pull.headRepositoryId);
  const objects = getObjects(world, base);
  const by = resolvePerson(world, merge.by, pull.authorId);
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
