import { emit } from "../events/emit.ts";
import { accountById } from "../formatters/account.ts";
import type { JsonObject } from "../formatters/json.ts";
import { accountNamed, defaultActor, fullName, repositoryNamed } from "../state/find.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import type { RepositoryVerbs } from "../verbs/repositories.ts";

type RepositoryChange<K extends keyof RepositoryVerbs> = Parameters<RepositoryVerbs[K]>[0];

export function renameRepository(world: World, spec: RepositoryChange<"renameRepository">): Repository {
  const before = repositoryNamed(world, spec.repository);
  remember(world, before);
  const after = change(world, before, { name: spec.name });
  const changes = { repository: { name: { from: before.name } } };
  return emitRepositoryEvent(world, after, { action: "renamed", payload: { changes }, by: spec.by });
}

/** Transfers a repository; installations that listed it lose it. */
export function transferRepository(world: World, spec: RepositoryChange<"transferRepository">): Repository {
  const before = repositoryNamed(world, spec.repository);
  const from = world.accounts.require(before.ownerId);
  remember(world, before);
  for (const row of world.installations.filter((row) => row.ownerId === from.id)) {
    if (row.repositories === "all") continue;
    const repositories = row.repositories.filter((id) => id !== before.id);
    world.installations.update(row.id, { repositories });
  }
  const after = change(world, before, { ownerId: accountNamed(world, spec.owner).id });
  const kind = from.type === "Organization" ? "organization" : "user";
  const changes = { owner: { from: { [kind]: accountById(world, from.id) } } };
  return emitRepositoryEvent(world, after, { action: "transferred", payload: { changes }, by: spec.by });
}

export function setVisibility(world: World, spec: RepositoryChange<"setVisibility">): Repository {
  const before = repositoryNamed(world, spec.repository);
  const after = change(world, before, { visibility: spec.visibility });
  const action = spec.visibility === "public" ? "publicized" : "privatized";
  return emitRepositoryEvent(world, after, { action, payload: {}, by: spec.by });
}

const change = (world: World, row: Repository, with_: Partial<Repository>): Repository =>
  world.repositories.update(row.id, { ...with_, updatedAt: world.clock.now() });

function remember(world: World, repository: Repository): void {
  const name = fullName(world, repository).toLowerCase();
  world.formerNames.insert({ id: world.nextId("other"), fullName: name, repositoryId: repository.id });
}

function emitRepositoryEvent(
  world: World,
  repository: Repository,
  what: { action: string; payload: JsonObject; by: string | undefined },
): Repository {
  const senderId = defaultActor(world, repository, what.by).id;
  emit(world, { event: "repository", action: what.action, repository, senderId, payload: what.payload });
  return repository;
}
