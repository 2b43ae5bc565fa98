import { findAccount, findRepository, requireRepository, resolveActor } from "../../state/find.ts";
import type { SandboxPull } from "../../state/pulls.ts";
import { invalid } from "../../state/refusal.ts";
import type { Repository } from "../../state/repositories.ts";
import type { World } from "../../state/world.ts";
import type { NewPull } from "../../verbs/pulls.ts";
import { emitPullEvent } from "../pull-event.ts";

/** Opens a pull request from a branch of the repository or of a fork in its network. */
export function openPull(world: World, spec: NewPull): SandboxPull {
  const repository = requireRepository(world, spec.repository);
  const baseRef = spec.base ?? repository.defaultBranch;
  const baseSha = repository.branches.get(baseRef);
  if (baseSha === undefined) throw invalid({ resource: "PullRequest", field: "base", code: "invalid" });
  const head = resolveHead(world, repository, spec.head);
  const author = resolveActor(world, head.repository, spec.author);
  const now = world.clock.now();
  const pull = world.pulls.insert({
    id: world.nextId("pull"),
    repositoryId: repository.id,
    number: 1 + Math.max(0, ...world.pulls.group(String(repository.id)).map((row) => row.number)),
    title: spec.title,
    body: spec.body ?? null,
    authorId: author.id,
    state: "open",
    draft: spec.draft ?? false,
    labels: [],
    locked: false,
    lockReason: null,
    headRepositoryId: head.repository.id,
    headOwnerId: head.repository.ownerId,
    headRef: head.ref,
    headSha: head.sha,
    baseRef,
    baseSha,
    createdAt: now,
    updatedAt: now,
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
  text: string,
): { repository: Repository; ref: string; sha: string } {
  const [first = "", ...rest] = text.split(":");
  const ref = rest.length === 0 ? first : rest.join(":");
  const repository = rest.length === 0 ? base : findFork(world, base, first);
  const sha = repository?.branches.get(ref);
  if (repository === null || sha === undefined) {
    throw invalid({ resource: "PullRequest", field: "head", code: "invalid" });
  }
  return { repository, ref, sha };
}

function findFork(world: World, base: Repository, login: string): Repository | null {
  const ownerId = findAccount(world, login)?.id;
  return (
    world.repositories.find((row) => row.networkId === base.networkId && row.ownerId === ownerId) ??
    findRepository(world, `${login}/${base.name}`)
  );
}
