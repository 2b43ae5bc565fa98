import { formatAccountById, formatOrganisation } from "../formatters/account.ts";
import type { JsonObject } from "../formatters/json.ts";
import { formatRepository } from "../formatters/repository.ts";
import type { Installation } from "../state/apps.ts";
import { isInstalledOn } from "../state/find.ts";
import { buildNodeId } from "../state/node-id.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";

export interface SandboxEvent {
  readonly event: string;
  readonly action: string | null;
  readonly repository: Repository;
  readonly senderId: number;
  readonly payload: JsonObject;
  /** Deliver to this App only. */
  readonly appId?: number;
}

/** Sends the event to every installation that covers the repository, subscribes to the event and is not suspended. */
export function deliverEvent(world: World, happening: SandboxEvent): void {
  for (const installation of world.installations.all()) {
    if (happening.appId !== undefined && happening.appId !== installation.appId) continue;
    if (installation.suspendedAt !== null || !isInstalledOn(installation, happening.repository)) continue;
    if (!installation.events.includes(happening.event)) continue;
    sendToInstallation(world, installation, happening);
  }
}

/** Sends an event about an installation itself; Apps cannot unsubscribe from these events. */
export function emitInstallation(
  world: World,
  installation: Installation,
  happening: Omit<SandboxEvent, "repository">,
): void {
  const owner = world.accounts.require(installation.ownerId);
  world.notify({
    app: world.apps.require(installation.appId),
    installationId: installation.id,
    repositoryId: null,
    event: happening.event,
    action: happening.action,
    body: JSON.stringify({
      action: happening.action,
      ...happening.payload,
      ...(owner.type === "Organization" ? { organization: formatOrganisation(world, owner) } : {}),
      sender: formatAccountById(world, happening.senderId),
    }),
  });
}

function sendToInstallation(world: World, installation: Installation, happening: SandboxEvent): void {
  const { repository, event, action, payload, senderId } = happening;
  const owner = world.accounts.require(repository.ownerId);
  const body = {
    ...(action === null ? {} : { action }),
    repository: formatRepository(world, repository),
    ...payload,
    ...(owner.type === "Organization" ? { organization: formatOrganisation(world, owner) } : {}),
    sender: formatAccountById(world, senderId),
    installation: { id: installation.id, node_id: buildNodeId("Installation", installation.id) },
  };
  world.notify({
    app: world.apps.require(installation.appId),
    installationId: installation.id,
    repositoryId: repository.id,
    event,
    action,
    body: JSON.stringify(body),
  });
}
