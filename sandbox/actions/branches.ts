import { type BranchMove, emitPush, NO_COMMIT } from "../events/push.ts";
import { type ObjectStore, readCommit, writeBlob, writeCommit } from "../git/objects.ts";
import { readSnapshot, type Snapshot, type SnapshotEntry, writeSnapshot } from "../git/snapshot.ts";
import { createSignature } from "../rules/test-merge.ts";
import type { Account } from "../state/accounts.ts";
import { getObjects, requireAccount, requireRepository, resolveActor, resolveRef } from "../state/find.ts";
import type { SandboxPull } from "../state/pulls.ts";
import { invalid } from "../state/refusal.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import type { FileContent, FileTree, Push, PushResult } from "../verbs/repositories.ts";
import { emitPullEvent } from "./pull-event.ts";
import { requestSuites } from "./suites.ts";

/** Pushes one commit on top of the branch, or on `onto` instead of the tip. */
export function pushFiles(world: World, spec: Push & { onto?: string | null }): PushResult {
  const repository = requireRepository(world, spec.repository);
  const by = resolveActor(world, repository, spec.by);
  const tip = repository.branches.get(spec.branch) ?? null;
  const parent = spec.onto ?? tip ?? resolveStart(world, repository, spec.from);
  const author = spec.author === undefined ? by : requireAccount(world, spec.author);
  const files = { parent, files: spec.files, message: spec.message ?? `Change ${describeFiles(spec.files)}` };
  const after = commitFiles(world, repository, { ...files, by: author });
  return setBranch(world, { repository, branch: spec.branch, before: tip ?? NO_COMMIT, after, by });
}

/** Pushes one commit in place of the tip: on the tip's parent, or on `onto`. */
export function forcePushFiles(world: World, spec: Push & { onto?: string }): PushResult {
  const repository = requireRepository(world, spec.repository);
  const tip = readCommit(getObjects(world, repository), repository.branches.get(spec.branch) ?? "");
  const onto = spec.onto ?? tip?.parents[0] ?? null;
  return pushFiles(world, { ...spec, onto, message: spec.message ?? `Rework ${describeFiles(spec.files)}` });
}

/** Writes a commit without moving a branch. */
export function commitFiles(
  world: World,
  repository: Repository,
  commit: { parent: string | null; files: FileTree; message: string; by: Account },
): string {
  const objects = getObjects(world, repository);
  const signature = createSignature(commit.by, world.clock.now());
  return writeCommit(objects, {
    tree: writeSnapshot(objects, applyChanges(objects, readSnapshot(objects, commit.parent), commit.files)),
    parents: commit.parent === null ? [] : [commit.parent],
    author: signature,
    committer: signature,
    message: commit.message,
  }).sha;
}

/** Moves, creates or (with `after` NO_COMMIT) deletes a branch; emits the push, check suites and events of its pull requests. */
export function setBranch(world: World, move: BranchMove): PushResult {
  const { before, after } = move;
  const branches = new Map(move.repository.branches);
  if (after === NO_COMMIT) branches.delete(move.branch);
  else branches.set(move.branch, after);
  const now = world.clock.now();
  const repository = world.repositories.update(move.repository.id, { branches, pushedAt: now });
  world.activities.insert({
    id: world.nextId("other"),
    repositoryId: repository.id,
    branch: move.branch,
    before,
    after,
    actorId: move.by.id,
    at: now,
  });
  emitPush(world, { ...move, repository });
  if (before === after || after === NO_COMMIT) return { before, after };
  requestSuites(world, { repository, branch: move.branch, before, sha: after });
  for (const pull of listBranchPulls(world, repository, move.branch)) {
    const base = world.repositories.require(pull.repositoryId).branches.get(pull.baseRef);
    const moved = world.pulls.update(pull.id, {
      headSha: after,
      baseSha: base ?? pull.baseSha,
      updatedAt: now,
    });
    emitPullEvent(world, moved, { action: "synchronize", by: move.by, extra: { before, after } });
  }
  return { before, after };
}

/** Open pull requests whose head is this branch. */
const listBranchPulls = (world: World, repository: Repository, branch: string): readonly SandboxPull[] =>
  world.pulls.filter(
    (pull) => pull.state === "open" && pull.headRepositoryId === repository.id && pull.headRef === branch,
  );

function resolveStart(world: World, repository: Repository, from: string | undefined): string | null {
  if (from === undefined) return repository.branches.get(repository.defaultBranch) ?? null;
  const sha = resolveRef(world, repository, from);
  if (sha === null) throw invalid({ resource: "Reference", field: "from", code: "invalid" });
  return sha;
}

export function applyChanges(objects: ObjectStore, before: Snapshot, files: FileTree): Snapshot {
  const result = new Map<string, SnapshotEntry>(before);
  for (const [path, content] of Object.entries(files)) {
    const entry = writeEntry(objects, content);
    if (entry === null) result.delete(path);
    else result.set(path, entry);
  }
  return result;
}

function writeEntry(objects: ObjectStore, content: FileContent): SnapshotEntry | null {
  if (content === null) return null;
  if (typeof content === "string" || content instanceof Uint8Array) {
    return { mode: "100644", sha: writeBlob(objects, Buffer.from(content)).sha };
  }
  if ("submodule" in content) return { mode: "160000", sha: content.submodule };
  if ("symlink" in content)
    return { mode: "120000", sha: writeBlob(objects, Buffer.from(content.symlink)).sha };
  return { mode: "100755", sha: writeBlob(objects, Buffer.from(content.executable)).sha };
}

const describeFiles = (files: FileTree): string => Object.keys(files).join(", ").slice(0, 60) || "nothing";
