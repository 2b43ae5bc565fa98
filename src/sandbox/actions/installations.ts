import { emitInstallation } from "../events/emit.ts";
import { installationJson } from "../formatters/app.ts";
import { repositoryNameJson } from "../formatters/repository.ts";
import type { Installation } from "../state/apps.ts";
import { accountNamed, covers, personBehind, repositoryNamed } from "../state/find.ts";
import type { World } from "../state/world.ts";
import type { AppVerbs } from "../verbs/apps.ts";
import { registerApp } from "./apps.ts";

export const appVerbs = (world: World): AppVerbs => ({
  registerApp: (spec) => registerApp(world, spec),
  setWebhookUrl: ({ appId, url }) => {
    world.apps.update(appId, { webhookUrl: url });
  },
  installApp: (spec) => install(world, spec),
  changeInstallationRepositories: (spec) => changeRepositories(world, spec),
  setInstallationPermissions: ({ installationId, permissions }) => {
    const row = change(world, installationId, { permissions });
    emitInstallationEvent(world, row, "new_permissions_accepted");
    return row;
  },
  suspendInstallation: (id) => {
    const suspendedById = personOf(world, world.installations.require(id));
    emitInstallationEvent(
      world,
      change(world, id, { suspendedAt: world.clock.now(), suspendedById }),
      "suspend",
    );
  },
  unsuspendInstallation: (id) => {
    emitInstallationEvent(world, change(world, id, { suspendedAt: null, suspendedById: null }), "unsuspend");
  },
  uninstallApp: (id) => {
    const row = world.installations.require(id);
    world.installations.remove(id);
    emitInstallationEvent(world, row, "deleted");
  },
});

function install(world: World, spec: Parameters<AppVerbs["installApp"]>[0]): Installation {
  const app = world.apps.require(spec.appId);
  const names = spec.repositories ?? "all";
  const now = world.clock.now();
  const installation = world.installations.insert({
    id: world.nextId("installation"),
    appId: app.id,
    ownerId: accountNamed(world, spec.owner).id,
    repositories: names === "all" ? "all" : idsOf(world, spec.owner, names),
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
  const added = idsOf(world, owner, spec.add ?? []);
  const removed = idsOf(world, owner, spec.remove ?? []);
  const covered = coveredBy(world, before);
  const kept = [...new Set([...covered, ...added])].filter((id) => !removed.includes(id));
  const after = change(world, before.id, { repositories: kept });
  const names = (ids: readonly number[]) =>
    ids.map((id) => repositoryNameJson(world, world.repositories.require(id)));
  for (const [action, ids] of [["added", added] as const, ["removed", removed] as const]) {
    if (ids.length === 0) continue;
    const payload = {
      installation: installationJson(world, after),
      repository_selection: "selected",
      repositories_added: action === "added" ? names(ids) : [],
      repositories_removed: action === "removed" ? names(ids) : [],
      requester: null,
    };
    const senderId = personOf(world, after);
    emitInstallation(world, after, { event: "installation_repositories", action, senderId, payload });
  }
  return after;
}

function emitInstallationEvent(world: World, installation: Installation, action: string): void {
  const repositories = coveredBy(world, installation).map((id) =>
    repositoryNameJson(world, world.repositories.require(id)),
  );
  const senderId = personOf(world, installation);
  const payload = { installation: installationJson(world, installation), repositories, requester: null };
  emitInstallation(world, installation, { event: "installation", action, senderId, payload });
}

const change = (world: World, id: number, with_: Partial<Installation>): Installation =>
  world.installations.update(id, { ...with_, updatedAt: world.clock.now() });

const coveredBy = (world: World, installation: Installation): readonly number[] =>
  world.repositories.filter((row) => covers(installation, row)).map((row) => row.id);

const personOf = (world: World, installation: Installation): number =>
  personBehind(world, world.accounts.require(installation.ownerId)).id;

const idsOf = (world: World, owner: string, names: readonly string[]): readonly number[] =>
  names.map((name) => repositoryNamed(world, name.includes("/") ? name : `${owner}/${name}`).id);
