import { invalid, type JsonObject } from "../api/call.ts";
import {
  commitFiles,
  createSignature,
  type FileTree,
  type GitCommit,
  isAncestor,
  listChangedFiles,
  listCommitsBetween,
  NO_COMMIT,
  type ObjectStore,
  readCommit,
} from "../state/git.ts";
import type { Account, Repository } from "../state/records.ts";
import {
  getObjects,
  requireRepository,
  resolveActor,
  resolvePerson,
  resolveRef,
  type World,
} from "../state/world.ts";
import { requestSuites } from "./check-runs.ts";
import { emitPullEvent } from "./pulls.ts";
import { deliverEvent } from "./repositories.ts";

export interface Push {
  readonly repository: string;
  /** Created from `from` when missing. */
  readonly branch: string;
  readonly files: FileTree;
  readonly message?: string;
  /** A branch or commit id that a new branch starts at; default the default branch. */
  readonly from?: string;
  /** Login of the commit's author, when somebody else pushes it. */
  readonly author?: string;
  /** Login of the committer and pusher; default the owner or the organisation's first admin. */
  readonly by?: string;
}

/** Commit ids; `before` is 40 zeros when the push created the branch. */
export interface PushResult {
  readonly before: string;
  readonly after: string;
}

/** Branches of repositories. */
export const createBranchVerbs = (world: World) => ({
  /** One commit on top of the branch. Sends `push`, `check_suite.requested`, and `pull_request.synchronize` per open pull request from that branch. */
  push: (spec: Push): PushResult => pushFiles(world, spec, null),
  /** Like `push`, but the commit replaces the tip: its parent is `onto` (default the tip's own parent). */
  forcePush: ({ onto, ...spec }: Push & { onto?: string }): PushResult => {
    const { branches, ...repository } = requireRepository(world, spec.repository);
    const tip = readCommit(world.objects(repository.networkId), branches.get(spec.branch) ?? "");
    const message = `Rework ${describeFiles(spec.files)}`;
    return pushFiles(world, { message, ...spec }, onto ?? tip?.parents[0] ?? null);
  },
  /** Points a branch at an existing commit; creates the branch if needed. Sends the same deliveries as a push. */
  moveBranch: (spec: { repository: string; branch: string; sha: string; by?: string }): PushResult =>
    pointBranch(world, spec, spec.sha),
  deleteBranch: (spec: { repository: string; branch: string; by?: string }): void => {
    pointBranch(world, spec, NO_COMMIT);
  },
});

/** Pushes one commit on top of `onto`; null: of the branch's tip. */
function pushFiles(world: World, spec: Push, onto: string | null): PushResult {
  const repository = requireRepository(world, spec.repository);
  const by = resolveActor(world, repository, spec.by);
  const tip = repository.branches.get(spec.branch) ?? null;
  const after = commitFiles(getObjects(world, repository), {
    parent: onto ?? tip ?? resolveStart(world, repository, spec.from),
    files: spec.files,
    message: spec.message ?? `Change ${describeFiles(spec.files)}`,
    author: createSignature(resolvePerson(world, spec.author, by.id), world.clock.now()),
  });
  return setBranch(world, { repository, branch: spec.branch, before: tip ?? NO_COMMIT, after, by });
}

function pointBranch(
  world: World,
  spec: { repository: string; branch: string; by?: string },
  after: string,
): PushResult {
  const repository = requireRepository(world, spec.repository);
  const before = repository.branches.get(spec.branch) ?? NO_COMMIT;
  const by = resolveActor(world, repository, spec.by);
  return setBranch(world, { repository, branch: spec.branch, before, after, by });
}

function resolveStart(world: World, repository: Repository, from: string | undefined): string | null {
  if (from === undefined) return repository.branches.get(repository.defaultBranch) ?? null;
  const sha = resolveRef(world, repository, from);
  if (sha === null) throw invalid({ resource: "Reference", field: "from", code: "invalid" });
  return sha;
}

const describeFiles = (files: FileTree): string => Object.keys(files).join(", ").slice(0, 60) || "nothing";

interface BranchMove {
  readonly repository: Repository;
  readonly branch: string;
  readonly before: string;
  readonly after: string;
  readonly by: Account;
}

/** Moves, creates or (with `after` NO_COMMIT) deletes a branch; emits the push, check suites and events of its pull requests. */
export function setBranch(world: World, move: BranchMove): PushResult {
  const { before, after, branch, by } = move;
  const branches = new Map(move.repository.branches);
  if (after === NO_COMMIT) branches.delete(branch);
  else branches.set(branch, after);
  const repository = world.repositories.update(move.repository.id, { branches });
  const repositoryId = repository.id;
  world.activities.insert({
    ...{ id: world.nextId("other"), repositoryId, branch, before, after, actorId: by.id },
  });
  emitPush(world, { ...move, repository });
  if (before === after || after === NO_COMMIT) return { before, after };
  requestSuites(world, repository, after);
  for (const pull of world.pulls.all()) {
    if (pull.state !== "open" || pull.headRepositoryId !== repositoryId || pull.headRef !== branch) continue;
    const base = world.repositories.require(pull.repositoryId).branches.get(pull.baseRef);
    const change = { headSha: after, baseSha: base ?? pull.baseSha };
    const moved = world.pulls.update(pull.id, change);
    emitPullEvent(world, moved, { action: "synchronize", by, extra: { before, after } });
  }
  return { before, after };
}

/** The maximum number of commits in a push payload. */
const MAX_COMMITS = 2048;

function emitPush(world: World, { repository, branch, before, after, by }: BranchMove): void {
  const objects = getObjects(world, repository);
  const created = before === NO_COMMIT;
  const deleted = after === NO_COMMIT;
  const base = created ? (repository.branches.get(repository.defaultBranch) ?? NO_COMMIT) : before;
  const commits = deleted ? [] : listCommitsBetween(objects, base, after).slice(-MAX_COMMITS);
  const payload = {
    ref: `refs/heads/${branch}`,
    before,
    after,
    created,
    deleted,
    forced: !created && !deleted && !isAncestor(objects, before, after),
    commits: commits.map((commit) => formatPushedCommit(objects, commit)),
  };
  deliverEvent(world, { event: "push", action: null, repository, senderId: by.id, payload });
}

function formatPushedCommit(objects: ObjectStore, { sha: id, parents }: GitCommit): JsonObject {
  const changes = listChangedFiles(objects, parents[0] ?? null, id);
  const paths = (...kinds: readonly string[]) =>
    changes.filter((change) => kinds.includes(change.status)).map((change) => change.path);
  const moved = changes.flatMap((change) => change.previousPath ?? []);
  return {
    id,
    added: paths("added", "renamed"),
    removed: [...paths("removed"), ...moved],
    modified: paths("modified"),
  };
}
