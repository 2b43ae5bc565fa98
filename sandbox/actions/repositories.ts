import { deliverEvent } from "../events/deliver-event.ts";
import { NO_COMMIT } from "../events/push.ts";
import type { JsonObject } from "../formatters/json.ts";
import { formatRepository } from "../formatters/repository.ts";
import { readBlob } from "../git/objects.ts";
import { readTreeEntry } from "../git/snapshot.ts";
import {
  findActingPerson,
  findRepository,
  getObjects,
  requireAccount,
  requireRepository,
  resolveActor,
  resolveRef,
} from "../state/find.ts";
import { invalid } from "../state/refusal.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import type { NewRepository, RepositoryVerbs } from "../verbs/repositories.ts";
import { commitFiles, forcePushFiles, pushFiles, setBranch } from "./branches.ts";
import { renameRepository, setVisibility, transferRepository } from "./repository-changes.ts";

export const createRepositoryVerbs = (world: World): RepositoryVerbs => ({
  createRepository: (spec) => createRepository(world, spec),
  forkRepository: (spec) => forkRepository(world, spec),
  repository: (name) => requireRepository(world, name),
  push: (spec) => pushFiles(world, spec),
  forcePush: (spec) => forcePushFiles(world, spec),
  moveBranch: ({ repository: name, branch, sha, by }) => {
    const repository = requireRepository(world, name);
    const before = repository.branches.get(branch) ?? NO_COMMIT;
    const who = resolveActor(world, repository, by);
    return setBranch(world, { repository, branch, before, after: sha, by: who });
  },
  deleteBranch: ({ repository: name, branch, by }) => {
    const repository = requireRepository(world, name);
    const before = repository.branches.get(branch) ?? NO_COMMIT;
    const who = resolveActor(world, repository, by);
    setBranch(world, { repository, branch, before, after: NO_COMMIT, by: who });
  },
  renameRepository: (spec) => renameRepository(world, spec),
  transferRepository: (spec) => transferRepository(world, spec),
  setVisibility: (spec) => setVisibility(world, spec),
  deleteRepository: (spec) => deleteRepository(world, spec),
  protectBranch: (spec) => protectBranch(world, spec),
  fileText: (spec) => readFileText(world, spec),
});

function createRepository(world: World, spec: NewRepository): Repository {
  const owner = requireAccount(world, spec.owner);
  const id = world.nextId("repository");
  const empty = insertRepository(world, {
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
  const by = findActingPerson(world, owner);
  const first = commitFiles(world, empty, { parent: null, files, message: "Initial commit", by });
  return world.repositories.update(id, { branches: new Map([[empty.defaultBranch, first]]) });
}

function forkRepository(world: World, spec: Parameters<RepositoryVerbs["forkRepository"]>[0]): Repository {
  const parent = requireRepository(world, spec.repository);
  const owner = requireAccount(world, spec.owner);
  const copy = insertRepository(world, {
    id: world.nextId("repository"),
    ownerId: owner.id,
    name: spec.name ?? parent.name,
    visibility: parent.visibility,
    defaultBranch: parent.defaultBranch,
    parentId: parent.id,
    networkId: parent.networkId,
    branches: new Map(parent.branches),
  });
  const senderId = findActingPerson(world, owner).id;
  const payload = { forkee: formatRepository(world, copy) };
  deliverEvent(world, { event: "fork", action: null, repository: parent, senderId, payload });
  return copy;
}

type NewRepositoryRow = Omit<Repository, "collaborators" | "createdAt" | "updatedAt" | "pushedAt">;

function insertRepository(world: World, row: NewRepositoryRow): Repository {
  const owner = world.accounts.require(row.ownerId).login;
  if (findRepository(world, `${owner}/${row.name}`) !== null) {
    throw invalid({ resource: "Repository", field: "name", code: "already_exists" });
  }
  const now = world.clock.now();
  const times = { createdAt: now, updatedAt: now, pushedAt: now };
  return world.repositories.insert({ ...row, ...times, collaborators: new Map() });
}

function deleteRepository(world: World, spec: { repository: string; by?: string }): void {
  const repository = requireRepository(world, spec.repository);
  const senderId = resolveActor(world, repository, spec.by).id;
  deliverEvent(world, {
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

function protectBranch(world: World, spec: Parameters<RepositoryVerbs["protectBranch"]>[0]) {
  const repositoryId = requireRepository(world, spec.repository).id;
  const { branch, requiredChecks, kind = "protection", restrictsCreation = false } = spec;
  const old = world.protections.find((row) => row.repositoryId === repositoryId && row.branch === branch);
  if (old !== null) return world.protections.update(old.id, { requiredChecks, kind, restrictsCreation });
  return world.protections.insert({
    id: world.nextId("other"),
    repositoryId,
    branch,
    requiredChecks,
    kind,
    restrictsCreation,
  });
}

function readFileText(world: World, spec: { repository: string; ref: string; path: string }): string | null {
  const repository = requireRepository(world, spec.repository);
  const sha = resolveRef(world, repository, spec.ref);
  const objects = getObjects(world, repository);
  const entry = sha === null ? null : readTreeEntry(objects, sha, spec.path);
  return entry === null ? null : (readBlob(objects, entry.sha)?.bytes.toString("utf8") ?? null);
}
