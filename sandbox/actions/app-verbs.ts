import { emitInstallation } from "../events/deliver-event.ts";
import { formatInstallation } from "../formatters/app.ts";
import { formatRepositoryName } from "../formatters/repository.ts";
import type { Installation } from "../state/apps.ts";
import { findActingPerson, isInstalledOn, requireAccount, requireRepository } from "../state/find.ts";
import type { World } from "../state/world.ts";
import type { AppVerbs } from "../verbs/apps.ts";
import { registerApp } from "./apps.ts";
import { issueJobToken } from "./job-tokens.ts";
import { issueUserToken, revokeGrant } from "./user-tokens.ts";

export const createAppVerbs = (world: World): AppVerbs => ({
  registerApp: (spec) => registerApp(world, spec),
  issueJobToken: (spec) => issueJobToken(world, spec),
  authorizeApp: ({ appId, login }) =>
    issueUserToken(world, { appId, userId: requireAccount(world, login).id }),
  revokeAuthorization: ({ appId, login }) =>
    revokeGrant(world, { appId, userId: requireAccount(world, login).id }),
  setWebhookUrl: ({ appId, url }) => {
    world.apps.update(appId, { webhookUrl: url });
  },
  installApp: (spec) => createInstallation(world, spec),
  changeInstallationRepositories: (spec) => changeRepositories(world, spec),
  setInstallationPermissions: ({ installationId, permissions }) => {
    const row = updateInstallation(world, installationId, { permissions });
    emitInstallationEvent(world, row, "new_permissions_accepted");
    return row;
  },
  suspendInstallation: (id) => {
    const suspendedById = findOwnerPersonId(world, world.installations.require(id));
    emitInstallationEvent(
      world,
      updateInstallation(world, id, { suspendedAt: world.clock.now(), suspendedById }),
      "suspend",
    );
  },
  unsuspendInstallation: (id) => {
    emitInstallationEvent(
      world,
      updateInstallation(world, id, { suspendedAt: null, suspendedById: null }),
      "unsuspend",
    );
  },
  uninstallApp: (id) => {
    const row = world.installations.require(id);
    world.installations.remove(id);
    emitInstallationEvent(world, row, "deleted");
  },
});

function createInstallation(world: World, spec: Parameters<AppVerbs["installApp"]>[0]): Installation {
  const app = world.apps.require(spec.appId);
  const names = spec.repositories ?? "all";
  const now = world.clock.now();
  const installation = world.installations.insert({
    id: world.nextId("installation"),
    appId: app.id,
    ownerId: requireAccount(world, spec.owner).id,
    repositories: names === "all" ? "all" : resolveRepositoryIds(world, spec.owner, names),
    permissions: app.permissions,
    events: app.events,
    suspendedAt: null,
    suspendedById: null,
    createdAt: now,
    updatedAt: now,
  });
  emitInstallationEvent(world, installation, "created");
  return installation;
}

function changeRepositories(
  world: World,
  spec: Parameters<AppVerbs["changeInstallationRepositories"]>[0],
): Installation {
  const before = world.installations.require(spec.installationId);
  const owner = world.accounts.require(before.ownerId).login;
  const added = resolveRepositoryIds(world, owner, spec.add ?? []);
  const removed = resolveRepositoryIds(world, owner, spec.remove ?? []);
  const covered = listCoveredRepositories(world, before);
  const repositoryIds = [...new Set([...covered, ...added])].filter((id) => !removed.includes(id));
  const after = updateInstallation(world, before.id, { repositories: repositoryIds });
  const names = (ids: readonly number[]) =>
    ids.map((id) => formatRepositoryName(world, world.repositories.require(id)));
  for (const [action, ids] of [["added", added] as const, ["removed", removed] as const]) {
    if (ids.length === 0) continue;
    const payload = {
      installation: formatInstallation(world, after),
      repository_selection: "selected",
      repositories_added: action === "added" ? names(ids) : [],
      repositories_removed: action === "removed" ? names(ids) : [],
      requester: null,
    };
    const senderId = findOwnerPersonId(world, after);
    emitInstallation(world, after, { event: "installation_repositories", action, senderId, payload });
  }
  return after;
}

function emitInstallationEvent(world: World, installation: Installation, action: string): void {
  const repositories = listCoveredRepositories(world, installation).map((id) =>
    formatRepositoryName(world, world.repositories.require(id)),
  );
  const senderId = findOwnerPersonId(world, installation);
  const payload = { installation: formatInstallation(world, installation), repositories, requester: null };
  emitInstallation(world, installation, { event: "installation", action, senderId, payload });
}

const updateInstallation = (world: World, id: number, with_: Partial<Installation>): Installation =>
  world.installations.update(id, { ...with_, updatedAt: world.clock.now() });

const listCoveredRepositories = (world: World, installation: Installation): readonly number[] =>
  world.repositories.filter((row) => isInstalledOn(installation, row)).map((row) => row.id);

const findOwnerPersonId = (world: World, installation: Installation): number =>
  findActingPerson(world, world.accounts.require(installation.ownerId)).id;

const resolveRepositoryIds = (world: World, owner: string, names: readonly string[]): readonly number[] =>
  names.map((name) => requireRepository(world, name.includes("/") ? name : `${owner}/${name}`).id);
