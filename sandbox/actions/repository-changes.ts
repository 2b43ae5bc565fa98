import { deliverEvent } from "../events/deliver-event.ts";
import { formatAccountById } from "../formatters/account.ts";
import type { JsonObject } from "../formatters/json.ts";
import { getFullName, requireAccount, requireRepository, resolveActor } from "../state/find.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import type { RepositoryVerbs } from "../verbs/repositories.ts";

type RepositoryChange<K extends keyof RepositoryVerbs> = Parameters<RepositoryVerbs[K]>[0];

export function renameRepository(world: World, spec: RepositoryChange<"renameRepository">): Repository {
  const before = requireRepository(world, spec.repository);
  saveFormerName(world, before);
  const after = updateRepository(world, before, { name: spec.name });
  const changes = { repository: { name: { from: before.name } } };
  return emitRepositoryEvent(world, after, { action: "renamed", payload: { changes }, by: spec.by });
}

/** Transfers a repository; installations that listed it lose it. */
export function transferRepository(world: World, spec: RepositoryChange<"transferRepository">): Repository {
  const before = requireRepository(world, spec.repository);
  const from = world.accounts.require(before.ownerId);
  saveFormerName(world, before);
  for (const row of world.installations.filter((row) => row.ownerId === from.id)) {
    if (row.repositories === "all") continue;
    const repositories = row.repositories.filter((id) => id !== before.id);
    world.installations.update(row.id, { repositories });
  }
  const after = updateRepository(world, before, { ownerId: requireAccount(world, spec.owner).id });
  const kind = from.type === "Organization" ? "organization" : "user";
  const changes = { owner: { from: { [kind]: formatAccountById(world, from.id) } } };
  return emitRepositoryEvent(world, after, { action: "transferred", payload: { changes }, by: spec.by });
}

export function setVisibility(world: World, spec: RepositoryChange<"setVisibility">): Repository {
  const before = requireRepository(world, spec.repository);
  const after = updateRepository(world, before, { visibility: spec.visibility });
  const action = spec.visibility === "public" ? "publicized" : "privatized";
  return emitRepositoryEvent(world, after, { action, payload: {}, by: spec.by });
}

const updateRepository = (world: World, row: Repository, with_: Partial<Repository>): Repository =>
  world.repositories.update(row.id, { ...with_, updatedAt: world.clock.now() });

function saveFormerName(world: World, repository: Repository): void {
  const name = getFullName(world, repository).toLowerCase();
  world.formerNames.insert({ id: world.nextId("other"), fullName: name, repositoryId: repository.id });
}

function emitRepositoryEvent(
  world: World,
  repository: Repository,
  what: { action: string; payload: JsonObject; by: string | undefined },
): Repository {
  const senderId = resolveActor(world, repository, what.by).id;
  deliverEvent(world, {
    event: "repository",
    action: what.action,
    repository,
    senderId,
    payload: what.payload,
  });
  return repository;
}
