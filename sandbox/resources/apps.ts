import { HOUR_MS } from "../../src/kernel/clock.ts";
import {
  type ApiAnswer,
  type ApiCall,
  ApiRefusal,
  type ApiRoute,
  answerList,
  created,
  formatTime,
  formatTimeOrNull,
  type JsonObject,
  notFound,
  ok,
  parseId,
  route,
} from "../api/call.ts";
import type { Delivery } from "../state/outbox.ts";
import type { Access, AccessToken, App, AppPermissions, Installation } from "../state/records.ts";
import {
  findAccount,
  findActingPerson,
  isInstalledOn,
  requireAccount,
  requireRepository,
  type World,
} from "../state/world.ts";
import { addAccount, formatAccount } from "./accounts.ts";
import { formatRepositoryName } from "./repositories.ts";

export interface NewApp {
  readonly name: string;
  /** Login of the account that owns the App; created when missing. Default "tollgate-apps". */
  readonly owner?: string;
  /** The webhook URL, e.g. "http://127.0.0.1:3000/api/github/webhooks"; null or absent: none yet. */
  readonly webhookUrl?: string | null;
  /** Where GitHub may send people after they authorized the App; default: nowhere. */
  readonly callbackUrls?: readonly string[];
  /** Default: the permissions in Tollgate's `app.yml`. */
  readonly permissions?: AppPermissions;
  readonly events?: readonly string[];
  /** Default: a random one. */
  readonly webhookSecret?: string;
}

interface NewInstallation {
  readonly appId: number;
  readonly owner: string;
  /** Names in `owner`; default "all". */
  readonly repositories?: "all" | readonly string[];
}

/** Apps and their installations. */
export const createAppVerbs = (world: World) => ({
  /** Creates an RSA key pair, an app id, a webhook secret and the App's bot account. */
  registerApp: (spec: NewApp): Promise<App> => registerApp(world, spec),
  /**
   * Returns the `GITHUB_TOKEN` of a workflow's job: a token of GitHub's own App for Actions that covers one repository.
   * `permissions` as the workflow file names them, `metadata: read` always among them; default: none of the others.
   */
  issueJobToken: (spec: JobTokenRequest): Promise<string> => issueJobToken(world, spec),
  setWebhookUrl: ({ appId, url }: { appId: number; url: string | null }): void => {
    world.apps.update(appId, { webhookUrl: url });
  },
  /** Sends `installation.created`. */
  installApp: (spec: NewInstallation): Installation => {
    const { owner, repositories = "all" } = spec;
    const installation = insertInstallation(world, world.apps.require(spec.appId), {
      ownerId: requireAccount(world, owner).id,
      repositories: repositories === "all" ? "all" : resolveRepositoryIds(world, owner, repositories),
    });
    return emitInstallationEvent(world, installation, "created");
  },
  /** Sends `installation.new_permissions_accepted`. */
  setInstallationPermissions: (spec: { installationId: number; permissions: AppPermissions }): Installation =>
    emitInstallationEvent(
      world,
      world.installations.update(spec.installationId, { permissions: spec.permissions }),
      "new_permissions_accepted",
    ),
  /** Sends `installation.suspend`. A suspended installation receives no deliveries, and every call is refused with 403. */
  suspendInstallation: (id: number): void => {
    const suspended = world.installations.update(id, { suspendedAt: world.clock.now() });
    emitInstallationEvent(world, suspended, "suspend");
  },
  unsuspendInstallation: (id: number): void => {
    emitInstallationEvent(world, world.installations.update(id, { suspendedAt: null }), "unsuspend");
  },
  /** Sends `installation.deleted`; its tokens stop working. */
  uninstallApp: (id: number): void => {
    const row = world.installations.require(id);
    world.installations.remove(id);
    emitInstallationEvent(world, row, "deleted");
  },
});

/** The permissions that Tollgate needs. */
const PERMISSIONS: AppPermissions = {
  checks: "write",
  contents: "read",
  issues: "read",
  members: "read",
  merge_queues: "read",
  metadata: "read",
  pull_requests: "write",
  statuses: "read",
};

const EVENTS: readonly string[] = [
  "check_run",
  "check_suite",
  "issue_comment",
  "merge_group",
  "pull_request",
  "pull_request_review",
  "push",
  "repository",
  "status",
];

export async function registerApp(world: World, spec: NewApp): Promise<App> {
  const keys = await world.random.keyPair();
  const slug = spec.name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const login = spec.owner ?? "tollgate-apps";
  const owner = findAccount(world, login) ?? addAccount(world, { login, type: "Organization", name: null });
  const bot = addAccount(world, { login: `${slug}[bot]`, type: "Bot", name: null });
  return world.apps.insert({
    ...keys,
    id: world.nextId("app"),
    slug,
    name: spec.name,
    ownerId: owner.id,
    botId: bot.id,
    clientId: `Iv23li${world.random.text(14)}`,
    clientSecret: world.random.text(40),
    callbackUrls: spec.callbackUrls ?? [],
    webhookSecret: spec.webhookSecret ?? world.random.text(40),
    webhookUrl: spec.webhookUrl ?? null,
    permissions: spec.permissions ?? PERMISSIONS,
    events: spec.events ?? EVENTS,
  });
}

interface JobTokenRequest {
  readonly repository: string;
  readonly permissions?: Readonly<Record<string, Access>>;
}

/** Long tokens have about 520 characters with dots and dashes. */
function generateToken({ random, longTokens }: World, id: number): string {
  const short = random.text(36);
  return longTokens ? `ghs_${id}_${short}.${random.text(370)}-${random.text(80)}` : `ghs_${short}`;
}

/** The App for Actions needs no installation by people and receives no deliveries. */
async function issueJobToken(world: World, spec: JobTokenRequest): Promise<string> {
  const { id, ownerId } = requireRepository(world, spec.repository);
  const app =
    world.apps.find(({ slug }) => slug === "github-actions") ??
    (await registerApp(world, { name: "GitHub Actions", owner: "github", permissions: {}, events: [] }));
  const installation =
    world.installations.find((row) => row.appId === app.id && row.ownerId === ownerId) ??
    insertInstallation(world, app, { ownerId, repositories: "all" });
  const named = Object.entries(spec.permissions ?? {});
  const permissions: AppPermissions = {
    metadata: "read",
    ...Object.fromEntries(named.map(([name, access]) => [name.replaceAll("-", "_"), access])),
  };
  return issueToken(world, { installationId: installation.id, permissions, repositoryIds: [id] }).token;
}

const TOKEN_LIFE_MS = HOUR_MS;

function issueToken(world: World, access: Omit<AccessToken, "token" | "expiresAt">): AccessToken {
  const token = generateToken(world, access.installationId);
  const issued = { ...access, token, expiresAt: world.clock.now() + TOKEN_LIFE_MS };
  world.tokens.set(token, issued);
  return issued;
}

function insertInstallation(
  world: World,
  { id: appId, permissions, events }: App,
  of: Pick<Installation, "ownerId" | "repositories">,
): Installation {
  const id = world.nextId("installation");
  return world.installations.insert({ ...of, id, appId, permissions, events, suspendedAt: null });
}

/** Sends an event about an installation itself; Apps cannot unsubscribe from these events. */
function emitInstallationEvent(world: World, installation: Installation, action: string): Installation {
  const { id, appId, ownerId } = installation;
  const covered = world.repositories.filter((row) => isInstalledOn(installation, row));
  const body = {
    action,
    installation: formatInstallation(world, installation),
    repositories: covered.map((repository) => formatRepositoryName(world, repository)),
    sender: formatAccount(world, findActingPerson(world, ownerId).id),
  };
  world.notify({
    ...{ app: world.apps.require(appId), installationId: id, repositoryId: null },
    ...{ event: "installation", action, body: JSON.stringify(body) },
  });
  return installation;
}

const resolveRepositoryIds = (world: World, owner: string, names: readonly string[]): readonly number[] =>
  names.map((name) => requireRepository(world, name.includes("/") ? name : `${owner}/${name}`).id);

/** What an App does with its JWT, and what others read about it. */
export const appRoutes: readonly ApiRoute[] = [
  route.app("GET /app", [], ({ world, caller }) => ok(formatApp(world, caller.app))),
  route.installation("GET /apps/{app_slug}", [], ({ world, path }) => {
    const app = world.apps.find((row) => row.slug === path["app_slug"]);
    if (app === null) throw notFound();
    return ok(formatApp(world, app));
  }),
  route.app("GET /app/installations", [], (call) => {
    const all = call.world.installations.filter((entry) => entry.appId === call.caller.app.id);
    return answerList(call, all, formatInstallation);
  }),
  route.app("GET /app/installations/{installation_id}", [], (call) =>
    ok(formatInstallation(call.world, resolveInstallation(call))),
  ),
  route.app("POST /app/installations/{installation_id}/access_tokens", [], (call) =>
    answerToken(call, resolveInstallation(call)),
  ),
  route.app("GET /app/hook/config", [], ({ caller }) =>
    ok({ content_type: "json", insecure_ssl: "0", url: caller.app.webhookUrl ?? "" }),
  ),
  route.app("GET /app/hook/deliveries", [], (call) => {
    const all = call.deliveries.list({ appId: call.caller.app.id }).filter(({ state }) => state === "sent");
    return answerList(call, all.toReversed(), formatDelivery);
  }),
];

/** Creates a token with all that the installation may do. */
function answerToken(
  { world }: ApiCall,
  { id: installationId, permissions, ...row }: Installation,
): ApiAnswer {
  if (row.suspendedAt !== null) throw new ApiRefusal(403, "This installation has been suspended");
  const { token, expiresAt } = issueToken(world, { installationId, permissions, repositoryIds: null });
  const repository_selection = row.repositories === "all" ? "all" : "selected";
  return created({ token, expires_at: formatTime(expiresAt), permissions, repository_selection });
}

function resolveInstallation(call: ApiCall): Installation {
  const installation = call.world.installations.get(parseId(call, "installation_id"));
  if (installation === null || installation.appId !== call.caller.app.id) throw notFound();
  return installation;
}

export const formatApp = (
  world: World,
  { id, slug, clientId, name, permissions, events }: App,
): JsonObject => ({
  ...{ id, slug, client_id: clientId, name, permissions, events },
  html_url: `${world.origin()}/apps/${slug}`,
});

export function formatInstallation(world: World, installation: Installation): JsonObject {
  const { id, ownerId, repositories, permissions, suspendedAt } = installation;
  const { login, type } = world.accounts.require(ownerId);
  const site = type === "Organization" ? `/organizations/${login}` : "";
  return {
    id,
    account: formatAccount(world, ownerId),
    repository_selection: repositories === "all" ? "all" : "selected",
    html_url: `${world.origin()}${site}/settings/installations/${id}`,
    permissions,
    suspended_at: formatTimeOrNull(suspendedAt),
  };
}

const formatDelivery = (_world: World, delivery: Delivery): JsonObject => ({
  id: delivery.id,
  guid: delivery.guid,
  delivered_at: formatTime(delivery.createdAt),
  redelivery: delivery.redelivery,
  status_code: delivery.statusCode ?? 0,
  event: delivery.event,
  action: delivery.action,
});
