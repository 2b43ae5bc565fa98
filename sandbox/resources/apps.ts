import { z } from "zod";
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
  parseCallBody,
  parseId,
  route,
} from "../api/call.ts";
import type { Delivery } from "../state/outbox.ts";
import type { Access, AccessToken, App, AppPermissions, Installation } from "../state/records.ts";
import {
  buildNodeId,
  findAccount,
  findActingPerson,
  findRepository,
  isInstalledOn,
  requireAccount,
  requireRepository,
  type World,
} from "../state/world.ts";
import { addAccount, formatAccountById, formatOrganisationMember } from "./accounts.ts";
import { formatRepository, formatRepositoryName } from "./repositories.ts";

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

interface RepositoryChanges {
  readonly installationId: number;
  /** Names in the installation's account. */
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
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
  /** Sends `installation_repositories.added` or `.removed`. */
  changeInstallationRepositories: (spec: RepositoryChanges): Installation => changeRepositories(world, spec),
  /** Sends `installation.new_permissions_accepted`. */
  setInstallationPermissions: (spec: { installationId: number; permissions: AppPermissions }): Installation =>
    emitInstallationEvent(
      world,
      updateInstallation(world, spec.installationId, { permissions: spec.permissions }),
      "new_permissions_accepted",
    ),
  /** Sends `installation.suspend`. A suspended installation receives no deliveries, and every call is refused with 403. */
  suspendInstallation: (id: number): void => {
    const suspendedById = findActingPerson(world, world.installations.require(id).ownerId).id;
    const suspended = updateInstallation(world, id, { suspendedAt: world.clock.now(), suspendedById });
    emitInstallationEvent(world, suspended, "suspend");
  },
  unsuspendInstallation: (id: number): void => {
    const row = updateInstallation(world, id, { suspendedAt: null, suspendedById: null });
    emitInstallationEvent(world, row, "unsuspend");
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
    createdAt: world.clock.now(),
  });
}

interface JobTokenRequest {
  readonly repository: string;
  readonly permissions?: Readonly<Record<string, Access>>;
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

/** Long tokens have about 520 characters with dots and dashes. */
function generateToken({ random, longTokens }: World, id: number): string {
  const short = random.text(36);
  return longTokens ? `ghs_${id}_${short}.${random.text(370)}-${random.text(80)}` : `ghs_${short}`;
}

function insertInstallation(
  world: World,
  { id: appId, permissions, events }: App,
  of: Pick<Installation, "ownerId" | "repositories">,
): Installation {
  const now = world.clock.now();
  const id = world.nextId("installation");
  const fresh = { suspendedAt: null, suspendedById: null, createdAt: now, updatedAt: now };
  return world.installations.insert({ ...of, ...fresh, id, appId, permissions, events });
}

function changeRepositories(world: World, { installationId, add, remove }: RepositoryChanges): Installation {
  const before = world.installations.require(installationId);
  const { login } = world.accounts.require(before.ownerId);
  const added = resolveRepositoryIds(world, login, add ?? []);
  const removed = resolveRepositoryIds(world, login, remove ?? []);
  const covered = listCoveredRepositories(world, before);
  const repositories = [...new Set([...covered, ...added])].filter((id) => !removed.includes(id));
  const after = updateInstallation(world, before.id, { repositories });
  for (const [action, ids] of [["added", added] as const, ["removed", removed] as const]) {
    if (ids.length === 0) continue;
    notifyInstallation(
      world,
      after,
      { event: "installation_repositories", action },
      {
        repository_selection: "selected",
        repositories_added: action === "added" ? formatNames(world, ids) : [],
        repositories_removed: action === "removed" ? formatNames(world, ids) : [],
      },
    );
  }
  return after;
}

function emitInstallationEvent(world: World, installation: Installation, action: string): Installation {
  const repositories = formatNames(world, listCoveredRepositories(world, installation));
  notifyInstallation(world, installation, { event: "installation", action }, { repositories });
  return installation;
}

/** Sends an event about an installation itself; Apps cannot unsubscribe from these events. */
function notifyInstallation(
  world: World,
  installation: Installation,
  { event, action }: { event: string; action: string },
  payload: JsonObject,
): void {
  const { id, appId, ownerId } = installation;
  const body = {
    action,
    installation: formatInstallation(world, installation),
    requester: null,
    ...payload,
    ...formatOrganisationMember(world, ownerId),
    sender: formatAccountById(world, findActingPerson(world, ownerId).id),
  };
  const app = world.apps.require(appId);
  const text = JSON.stringify(body);
  world.notify({ app, installationId: id, repositoryId: null, event, action, body: text });
}

const updateInstallation = (world: World, id: number, change: Partial<Installation>): Installation =>
  world.installations.update(id, { ...change, updatedAt: world.clock.now() });

const formatNames = (world: World, ids: readonly number[]): readonly JsonObject[] =>
  ids.map((id) => formatRepositoryName(world, world.repositories.require(id)));

const listCoveredRepositories = (world: World, installation: Installation): readonly number[] =>
  world.repositories.filter((row) => isInstalledOn(installation, row)).map((row) => row.id);

const resolveRepositoryIds = (world: World, owner: string, names: readonly string[]): readonly number[] =>
  names.map((name) => requireRepository(world, name.includes("/") ? name : `${owner}/${name}`).id);

/** What an App does with its JWT, and what others read about it. */
export const appRoutes: readonly ApiRoute[] = [
  route.app("GET /app", [], ({ world, caller }) => ok(formatOwnApp(world, caller.app))),
  route.installation("GET /apps/{app_slug}", [], ({ world, path }) => {
    const app = world.apps.find((row) => row.slug === path["app_slug"]);
    if (app === null) throw notFound();
    return ok(formatOwnApp(world, app));
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
    ok({ content_type: "json", insecure_ssl: "0", secret: "********", url: caller.app.webhookUrl ?? "" }),
  ),
  route.app("GET /app/hook/deliveries", [], (call) => {
    const all = call.deliveries.list({ appId: call.caller.app.id }).filter(({ state }) => state === "sent");
    return answerList(call, all.toReversed(), formatDelivery);
  }),
];

const TokenRequest = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.record(z.string(), z.enum(["read", "write", "admin"])).optional(),
});

/** Creates a token with the requested access, which must not exceed the installation's. */
function answerToken(call: ApiCall, installation: Installation): ApiAnswer {
  const { world } = call;
  if (installation.suspendedAt !== null) throw new ApiRefusal(403, "This installation has been suspended");
  const requested = parseCallBody(call, "InstallationToken", TokenRequest);
  const permissions = requested.permissions ?? installation.permissions;
  refuseExtraPermissions(permissions, installation.permissions);
  const repositoryIds = narrowRepositories(world, installation, requested);
  const access = { installationId: installation.id, permissions, repositoryIds };
  const { token, expiresAt } = issueToken(world, access);
  const repositories = repositoryIds?.map((id) => formatRepository(world, world.repositories.require(id)));
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
  const hasMore = Object.entries(requested).some(
    ([name, access]) => granted[name] === undefined || rank[access] > rank[granted[name]],
  );
  if (hasMore) throw new ApiRefusal(422, "The permissions requested are not granted to this installation.");
}

function narrowRepositories(
  world: World,
  installation: Installation,
  { repositories, repository_ids }: z.infer<typeof TokenRequest>,
): readonly number[] | null {
  if (repositories === undefined && repository_ids === undefined) return null;
  const { login } = world.accounts.require(installation.ownerId);
  const named = (repositories ?? []).map((name) => findRepository(world, `${login}/${name}`));
  const numbered = (repository_ids ?? []).map((id) => world.repositories.get(id));
  return [...named, ...numbered].map((repository) => {
    if (repository !== null && isInstalledOn(installation, repository)) return repository.id;
    throw new ApiRefusal(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  });
}

function resolveInstallation(call: ApiCall): Installation {
  const installation = call.world.installations.get(parseId(call, "installation_id"));
  if (installation === null || installation.appId !== call.caller.app.id) throw notFound();
  return installation;
}

/** Formats an App inside other objects. */
export const formatApp = (world: World, app: App): JsonObject => ({
  id: app.id,
  slug: app.slug,
  client_id: app.clientId,
  node_id: buildNodeId("App", app.id),
  owner: formatAccountById(world, app.ownerId),
  name: app.name,
  description: "",
  external_url: `${world.origin()}/apps/${app.slug}`,
  html_url: `${world.origin()}/apps/${app.slug}`,
  created_at: formatTime(app.createdAt),
  updated_at: formatTime(app.createdAt),
  permissions: app.permissions,
  events: app.events,
});

/** Formats an App for its own endpoint. */
export const formatOwnApp = (world: World, app: App): JsonObject => ({
  ...formatApp(world, app),
  installations_count: world.installations.filter((row) => row.appId === app.id).length,
});

export function formatInstallation(world: World, installation: Installation): JsonObject {
  const { id, suspendedById } = installation;
  const owner = world.accounts.require(installation.ownerId);
  const app = world.apps.require(installation.appId);
  const site = owner.type === "Organization" ? `/organizations/${owner.login}` : "";
  return {
    id,
    client_id: app.clientId,
    account: formatAccountById(world, owner.id),
    repository_selection: installation.repositories === "all" ? "all" : "selected",
    access_tokens_url: `${world.origin()}/app/installations/${id}/access_tokens`,
    repositories_url: `${world.origin()}/installation/repositories`,
    html_url: `${world.origin()}${site}/settings/installations/${id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: owner.id,
    target_type: owner.type,
    permissions: installation.permissions,
    events: installation.events,
    created_at: formatTime(installation.createdAt),
    updated_at: formatTime(installation.updatedAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: suspendedById === null ? null : formatAccountById(world, suspendedById),
    suspended_at: formatTimeOrNull(installation.suspendedAt),
  };
}

/** `duration` is in seconds. */
const formatDelivery = (_world: World, delivery: Delivery): JsonObject => ({
  id: delivery.id,
  guid: delivery.guid,
  delivered_at: formatTime(delivery.createdAt),
  redelivery: delivery.redelivery,
  duration: Math.round(delivery.durationMs ?? 0) / 1000,
  status: describeStatusCode(delivery.statusCode),
  status_code: delivery.statusCode ?? 0,
  event: delivery.event,
  action: delivery.action,
  installation_id: delivery.installationId,
  repository_id: delivery.repositoryId,
  throttled_at: null,
});

function describeStatusCode(code: number | null): string {
  if (code === null) return "failed to connect to host";
  return code >= 200 && code < 300 ? "OK" : `Invalid HTTP Response: ${code}`;
}
