import { emit } from "../events/emit.ts";
import { NO_COMMIT } from "../events/push.ts";
import type { JsonObject } from "../formatters/json.ts";
import { repositoryJson } from "../formatters/repository.ts";
import { readBlob } from "../git/objects.ts";
import { entryAt } from "../git/snapshot.ts";
import {
  accountNamed,
  defaultActor,
  findRepository,
  objectsOf,
  personBehind,
  repositoryNamed,
  resolveRef,
} from "../state/find.ts";
import { invalid } from "../state/refusal.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import type { NewRepository, RepositoryVerbs } from "../verbs/repositories.ts";
import { commitFiles, forcePushFiles, pushFiles, setBranch } from "./branches.ts";
import { renameRepository, setVisibility, transferRepository } from "./repository-changes.ts";

export const repositoryVerbs = (world: World): RepositoryVerbs => ({
  createRepository: (spec) => create(world, spec),
  forkRepository: (spec) => fork(world, spec),
  repository: (name) => repositoryNamed(world, name),
  push: (spec) => pushFiles(world, spec),
  forcePush: (spec) => forcePushFiles(world, spec),
  moveBranch: ({ repository: name, branch, sha, by }) => {
    const repository = repositoryNamed(world, name);
    const before = repository.branches.get(branch) ?? NO_COMMIT;
    const who = defaultActor(world, repository, by);
    return setBranch(world, { repository, branch, before, after: sha, by: who });
  },
  deleteBranch: ({ repository: name, branch, by }) => {
    const repository = repositoryNamed(world, name);
    const before = repository.branches.get(branch) ?? NO_COMMIT;
    const who = defaultActor(world, repository, by);
    setBranch(world, { repository, branch, before, after: NO_COMMIT, by: who });
  },
  renameRepository: (spec) => renameRepository(world, spec),
  transferRepository: (spec) => transferRepository(world, spec),
  setVisibility: (spec) => setVisibility(world, spec),
  deleteRepository: (spec) => remove(world, spec),
  protectBranch: (spec) => protect(world, spec),
  fileText: (spec) => fileText(world, spec),
});

function create(world: World, spec: NewRepository): Repository {
  const owner = accountNamed(world, spec.owner);
  const id = world.nextId("repository");
  const empty = insert(world, {
    id,
    ownerId: owner.id,
    name: spec.name,
    visibility: spec.visibility ?? "private",
    defaultBranch: spec.defaultBranch ?? "main",
    parentId: null,
    networkId: id,
    branches: new Map(),
  });
  const files = spec.files ?? { "README.md": `# ${spec.name}\n` };
  const by = personBehind(world, owner);
  const first = commitFiles(world, empty, { parent: null, files, message: "Initial commit", by });
  return world.repositories.update(id, { branches: new Map([[empty.defaultBranch, first]]) });
}

function fork(world: World, spec: Parameters<RepositoryVerbs["forkRepository"]>[0]): Repository {
  const parent = repositoryNamed(world, spec.repository);
  const owner = accountNamed(world, spec.owner);
  const copy = insert(world, {
    id: world.nextId("repository"),
    ownerId: owner.id,
    name: spec.name ?? parent.name,
    visibility: parent.visibility,
    defaultBranch: parent.defaultBranch,
    parentId: parent.id,
    networkId: parent.networkId,
    branches: new Map(parent.branches),
  });
  const senderId = personBehind(world, owner).id;
  const payload = { forkee: repositoryJson(world, copy) };
  emit(world, { event: "fork", action: null, repository: parent, senderId, payload });
  return copy;
}

type NewRepositoryRow = Omit<Repository, "collaborators" | "createdAt" | "updatedAt" | "pushedAt">;

function insert(world: World, row: NewRepositoryRow): Repository {
  const owner = world.accounts.require(row.ownerId).login;
  if (findRepository(world, `${owner}/${row.name}`) !== null) {
    throw invalid({ resource: "Repository", field: "name", code: "already_exists" });
  }
  const now = world.clock.now();
  const times = { createdAt: now, updatedAt: now, pushedAt: now };
  return world.repositories.insert({ ...row, ...times, collaborators: new Map() });
}

function remove(world: World, spec: { repository: string; by?: string }): void {
  const repository = repositoryNamed(world, spec.repository);
  const senderId = defaultActor(world, repository, spec.by).id;
  emit(world, {
    event: "repository",
    action: "deleted",
    repository,
    senderId,
    payload: {} satisfies JsonObject,
  });
  for (const pull of world.pulls.group(String(repository.id))) world.pulls.remove(pull.id);
  for (const pull of world.pulls.filter((row) => row.headRepositoryId === repository.id)) {
    world.pulls.update(pull.id, { headRepositoryId: null });
  }
  world.repositories.remove(repository.id);
}

function protect(world: World, spec: Parameters<RepositoryVerbs["protectBranch"]>[0]) {
  const repositoryId = repositoryNamed(world, spec.repository).id;
  const { branch, requiredChecks } = spec;
  const old = world.protections.find((row) => row.repositoryId === repositoryId && row.branch === branch);
  if (old !== null) return world.protections.update(old.id, { requiredChecks });
  return world.protections.insert({ id: world.nextId("other"), repositoryId, branch, requiredChecks });
}

function fileText(world: World, spec: { repository: string; ref: string; path: string }): string | null {
  const repository = repositoryNamed(world, spec.repository);
  const sha = resolveRef(world, repository, spec.ref);
  const objects = objectsOf(world, repository);
  const entry = sha === null ? null : entryAt(objects, sha, spec.path);
  return entry === null ? null : (readBlob(objects, entry.sha)?.bytes.toString("utf8") ?? null);
}
