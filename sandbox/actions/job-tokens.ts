import type { App, Installation } from "../state/apps.ts";
import { requireRepository } from "../state/find.ts";
import type { World } from "../state/world.ts";
import type { AppVerbs } from "../verbs/apps.ts";
import { registerApp } from "./apps.ts";

const TOKEN_LIFE_MS = 3_600_000;

/** Issues the token of a workflow's job. The App for Actions needs no installation by people and receives no deliveries. */
export async function issueJobToken(
  world: World,
  spec: Parameters<AppVerbs["issueJobToken"]>[0],
): Promise<string> {
  const repository = requireRepository(world, spec.repository);
  const app = world.apps.find(({ slug }) => slug === "github-actions") ?? (await registerActionsApp(world));
  const installation = findInstallation(world, app, repository.ownerId);
  const named = Object.entries(spec.permissions ?? {});
  const token = `ghs_${world.random.text(36)}`;
  world.tokens.set(token, {
    id: world.nextId("other"),
    token,
    installationId: installation.id,
    permissions: {
      metadata: "read",
      ...Object.fromEntries(named.map(([name, access]) => [name.replaceAll("-", "_"), access])),
    },
    repositoryIds: [repository.id],
    expiresAt: world.clock.now() + TOKEN_LIFE_MS,
  });
  return token;
}

const registerActionsApp = (world: World): Promise<App> =>
  registerApp(world, {
    name: "GitHub Actions",
    owner: "github",
    webhookUrl: null,
    permissions: {},
    events: [],
  });

function findInstallation(world: World, app: App, ownerId: number): Installation {
  const known = world.installations.find((row) => row.appId === app.id && row.ownerId === ownerId);
  const now = world.clock.now();
  return (
    known ??
    world.installations.insert({
      id: world.nextId("installation"),
      appId: app.id,
      ownerId,
      repositories: "all",
      permissions: app.permissions,
      events: [],
      suspendedAt: null,
      suspendedById: null,
      createdAt: now,
      updatedAt: now,
    })
  );
}
