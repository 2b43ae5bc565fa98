import { z } from "zod";
import { parseCallBody, parseId } from "../api/body.ts";
import { type ApiAnswer, type ApiCall, type ApiRoute, created, ok } from "../api/call.ts";
import { buildPage } from "../api/paging.ts";
import { formatInstallation, formatOwnApp } from "../formatters/app.ts";
import { formatDelivery, formatFullDelivery } from "../formatters/delivery.ts";
import { formatTime } from "../formatters/json.ts";
import { formatRepository } from "../formatters/repository.ts";
import type { AppPermissions, Installation } from "../state/apps.ts";
import { findAccount, findRepository, isInstalledOn } from "../state/find.ts";
import { ApiRefusal, notFound } from "../state/refusal.ts";
import type { World } from "../state/world.ts";

const TOKEN_LIFE_MS = 3_600_000;
const LONG_TOKEN_LENGTH = 500;

const createAppRoute = (
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
  createAppRoute("GET", "/app", (call) => ok(formatOwnApp(call.world, call.caller.app))),
  createAppRoute("GET", "/app/installations", (call) => {
    const all = call.world.installations.filter((entry) => entry.appId === call.caller.app.id);
    return buildPage(call, all, (page) => page.map((entry) => formatInstallation(call.world, entry)));
  }),
  createAppRoute("GET", "/app/installations/{installation_id}", (call) =>
    ok(formatInstallation(call.world, resolveInstallation(call))),
  ),
  createAppRoute("POST", "/app/installations/{installation_id}/access_tokens", (call) =>
    issueToken(call, resolveInstallation(call)),
  ),
  createAppRoute("GET", "/repos/{owner}/{repo}/installation", (call) => {
    const repository = findRepository(call.world, `${call.path["owner"]}/${call.path["repo"]}`);
    return answerInstallation(call, (entry) => repository !== null && isInstalledOn(entry, repository));
  }),
  createAppRoute("GET", "/orgs/{org}/installation", (call) =>
    answerOwnerInstallation(call, call.path["org"] ?? ""),
  ),
  createAppRoute("GET", "/users/{username}/installation", (call) =>
    answerOwnerInstallation(call, call.path["username"] ?? ""),
  ),
  createAppRoute("GET", "/app/hook/config", (call) =>
    ok({
      content_type: "json",
      insecure_ssl: "0",
      secret: "********",
      url: call.caller.app.webhookUrl ?? "",
    }),
  ),
  createAppRoute("GET", "/app/hook/deliveries", (call) => {
    const all = call.deliveries.list({ appId: call.caller.app.id }).filter((entry) => entry.state === "sent");
    const body = buildPage(call, all.toReversed(), (page) => page.map(formatDelivery));
    return body;
  }),
  createAppRoute("GET", "/app/hook/deliveries/{delivery_id}", (call) =>
    ok(formatFullDelivery(resolveDelivery(call), call.caller.app.webhookUrl)),
  ),
  createAppRoute("POST", "/app/hook/deliveries/{delivery_id}/attempts", (call) => {
    // GitHub answers at once and delivers later; a failure shows in the list of deliveries.
    void call.deliveries.redeliver(resolveDelivery(call).id);
    return { status: 202, body: {} };
  }),
];

const TokenRequest = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.record(z.string(), z.enum(["read", "write", "admin"])).optional(),
});

/** Creates a token with the requested access, which must not exceed the installation's. */
function issueToken(call: ApiCall, installation: Installation): ApiAnswer {
  const { world } = call;
  if (installation.suspendedAt !== null) throw new ApiRefusal(403, "This installation has been suspended");
  const requested = parseCallBody(call, "InstallationToken", TokenRequest);
  const permissions = requested.permissions ?? installation.permissions;
  refuseExtraPermissions(permissions, installation.permissions);
  const repositoryIds = narrowRepositories(world, installation, requested);
  const token = generateToken(call);
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
  const repositories = repositoryIds?.map((one) => formatRepository(world, world.repositories.require(one)));
  return created({
    token,
    expires_at: formatTime(expiresAt),
    permissions,
    repository_selection: repositoryIds !== null || installation.repositories !== "all" ? "selected" : "all",
    ...(repositories === undefined ? {} : { repositories }),
  });
}

function refuseExtraPermissions(requested: AppPermissions, granted: AppPermissions): void {
  const rank = { read: 1, write: 2, admin: 3 };
  const more = Object.entries(requested).some(
    ([name, access]) => rank[access] > rank[granted[name] ?? "read"] || granted[name] === undefined,
  );
  if (more) {
    throw new ApiRefusal(422, "The permissions requested are not granted to this installation.");
  }
}

function narrowRepositories(
  world: World,
  installation: Installation,
  requested: z.infer<typeof TokenRequest>,
): readonly number[] | null {
  if (requested.repositories === undefined && requested.repository_ids === undefined) return null;
  const owner = world.accounts.require(installation.ownerId).login;
  const named = (requested.repositories ?? []).map((name) => findRepository(world, `${owner}/${name}`));
  const numbered = (requested.repository_ids ?? []).map((id) => world.repositories.get(id));
  return [...named, ...numbered].map((repository) => {
    if (repository !== null && isInstalledOn(installation, repository)) return repository.id;
    throw new ApiRefusal(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  });
}

function generateToken(call: ApiCall): string {
  const { random, longTokens } = call.world;
  if (!longTokens) return `ghs_${random.text(36)}`;
  return `ghs_${call.caller.app.id}_${random.text(36)}.${random.text(LONG_TOKEN_LENGTH - 130)}-${random.text(80)}`;
}

function resolveInstallation(call: ApiCall): Installation {
  const installation = call.world.installations.get(parseId(call, "installation_id"));
  if (installation === null || installation.appId !== call.caller.app.id) throw notFound();
  return installation;
}

function resolveDelivery(call: ApiCall) {
  const id = parseId(call, "delivery_id");
  const delivery = call.deliveries.list({ appId: call.caller.app.id }).find((entry) => entry.id === id);
  if (delivery === undefined) throw notFound();
  return delivery;
}

function answerOwnerInstallation(call: ApiCall, login: string): ApiAnswer {
  const owner = findAccount(call.world, login);
  return answerInstallation(call, (entry) => entry.ownerId === owner?.id);
}

function answerInstallation(call: ApiCall, matches: (installation: Installation) => boolean): ApiAnswer {
  const own = call.world.installations.filter((entry) => entry.appId === call.caller.app.id);
  const installation = own.find(matches);
  if (installation === undefined) throw notFound();
  return ok(formatInstallation(call.world, installation));
}
