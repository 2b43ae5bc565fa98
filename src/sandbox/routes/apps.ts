import { z } from "zod";
import { bodyOf, idIn } from "../api/body.ts";
import { type ApiAnswer, type ApiCall, type ApiRoute, created, ok } from "../api/call.ts";
import { paged } from "../api/paging.ts";
import { installationJson, ownAppJson } from "../formatters/app.ts";
import { deliveryAloneJson, deliveryJson } from "../formatters/delivery.ts";
import { time } from "../formatters/json.ts";
import { repositoryJson } from "../formatters/repository.ts";
import type { AppPermissions, Installation } from "../state/apps.ts";
import { covers, findAccount, findRepository } from "../state/find.ts";
import { ApiRefusal, notFound } from "../state/refusal.ts";
import type { World } from "../state/world.ts";

const TOKEN_LIFE_MS = 3_600_000;
const LONG_TOKEN = 500;

const row = (
  method: ApiRoute["method"],
  path: string,
  answer: (call: ApiCall) => ApiAnswer | Promise<ApiAnswer>,
): ApiRoute => ({
  kind: "app",
  method,
  path,
  answer,
});

/** Routes of an App with its JWT. */
export const appRoutes: readonly ApiRoute[] = [
  row("GET", "/app", (call) => ok(ownAppJson(call.world, call.caller.app))),
  row("GET", "/app/installations", (call) => {
    const all = call.world.installations.filter((entry) => entry.appId === call.caller.app.id);
    return paged(call, all, (page) => page.map((entry) => installationJson(call.world, entry)));
  }),
  row("GET", "/app/installations/{installation_id}", (call) =>
    ok(installationJson(call.world, installationIn(call))),
  ),
  row("POST", "/app/installations/{installation_id}/access_tokens", (call) =>
    mint(call, installationIn(call)),
  ),
  row("GET", "/repos/{owner}/{repo}/installation", (call) => {
    const repository = findRepository(call.world, `${call.path["owner"]}/${call.path["repo"]}`);
    return found(call, (entry) => repository !== null && covers(entry, repository));
  }),
  row("GET", "/orgs/{org}/installation", (call) => ofOwner(call, call.path["org"] ?? "")),
  row("GET", "/users/{username}/installation", (call) => ofOwner(call, call.path["username"] ?? "")),
  row("GET", "/app/hook/config", (call) =>
    ok({
      content_type: "json",
      insecure_ssl: "0",
      secret: "********",
      url: call.caller.app.webhookUrl ?? "",
    }),
  ),
  row("GET", "/app/hook/deliveries", (call) => {
    const all = call.deliveries.list({ appId: call.caller.app.id }).filter((entry) => entry.state === "sent");
    const body = paged(call, all.toReversed(), (page) => page.map(deliveryJson));
    return body;
  }),
  row("GET", "/app/hook/deliveries/{delivery_id}", (call) =>
    ok(deliveryAloneJson(deliveryIn(call), call.caller.app.webhookUrl)),
  ),
  row("POST", "/app/hook/deliveries/{delivery_id}/attempts", (call) => {
    // GitHub answers at once and delivers later; a failure shows in the list of deliveries.
    void call.deliveries.redeliver(deliveryIn(call).id);
    return { status: 202, body: {} };
  }),
];

const TokenRequest = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.record(z.string(), z.enum(["read", "write", "admin"])).optional(),
});

/** Creates a token with the requested access, which must not exceed the installation's. */
function mint(call: ApiCall, installation: Installation): ApiAnswer {
  const { world } = call;
  if (installation.suspendedAt !== null) throw new ApiRefusal(403, "This installation has been suspended");
  const requested = bodyOf(call, "InstallationToken", TokenRequest);
  const permissions = requested.permissions ?? installation.permissions;
  refuseExtraPermissions(permissions, installation.permissions);
  const repositoryIds = narrowed(world, installation, requested);
  const token = tokenText(call);
  const expiresAt = world.clock.now() + TOKEN_LIFE_MS;
  const id = world.nextId("other");
  world.tokens.set(token, {
    id,
    token,
    installationId: installation.id,
    permissions,
    repositoryIds,
    expiresAt,
  });
  const repositories = repositoryIds?.map((one) => repositoryJson(world, world.repositories.require(one)));
  return created({
    token,
    expires_at: time(expiresAt),
    permissions,
    repository_selection: repositoryIds !== null || installation.repositories !== "all" ? "selected" : "all",
    ...(repositories === undefined ? {} : { repositories }),
  });
}

function refuseExtraPermissions(requested: AppPermissions, given: AppPermissions): void {
  const rank = { read: 1, write: 2, admin: 3 };
  const more = Object.entries(requested).some(
    ([name, access]) => rank[access] > rank[given[name] ?? "read"] || given[name] === undefined,
  );
  if (more) {
    throw new ApiRefusal(422, "The permissions requested are not granted to this installation.");
  }
}

function narrowed(
  world: World,
  installation: Installation,
  requested: z.infer<typeof TokenRequest>,
): readonly number[] | null {
  if (requested.repositories === undefined && requested.repository_ids === undefined) return null;
  const owner = world.accounts.require(installation.ownerId).login;
  const named = (requested.repositories ?? []).map((name) => findRepository(world, `${owner}/${name}`));
  const numbered = (requested.repository_ids ?? []).map((id) => world.repositories.get(id));
  return [...named, ...numbered].map((repository) => {
    if (repository !== null && covers(installation, repository)) return repository.id;
    throw new ApiRefusal(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  });
}

function tokenText(call: ApiCall): string {
  const { random, longTokens } = call.world;
  if (!longTokens) return `ghs_${random.text(36)}`;
  return `ghs_${call.caller.app.id}_${random.text(36)}.${random.text(LONG_TOKEN - 130)}-${random.text(80)}`;
}

function installationIn(call: ApiCall): Installation {
  const installation = call.world.installations.get(idIn(call, "installation_id"));
  if (installation === null || installation.appId !== call.caller.app.id) throw notFound();
  return installation;
}

function deliveryIn(call: ApiCall) {
  const id = idIn(call, "delivery_id");
  const delivery = call.deliveries.list({ appId: call.caller.app.id }).find((entry) => entry.id === id);
  if (delivery === undefined) throw notFound();
  return delivery;
}

function ofOwner(call: ApiCall, login: string): ApiAnswer {
  const owner = findAccount(call.world, login);
  return found(call, (entry) => entry.ownerId === owner?.id);
}

function found(call: ApiCall, matches: (installation: Installation) => boolean): ApiAnswer {
  const own = call.world.installations.filter((entry) => entry.appId === call.caller.app.id);
  const installation = own.find(matches);
  if (installation === undefined) throw notFound();
  return ok(installationJson(call.world, installation));
}
