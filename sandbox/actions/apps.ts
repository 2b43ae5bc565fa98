import type { App, AppPermissions } from "../state/apps.ts";
import { findAccount, requireAccount } from "../state/find.ts";
import type { World } from "../state/world.ts";
import type { NewApp } from "../verbs/apps.ts";
import { addAccount } from "./accounts.ts";

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

/** Creates the App, its keys and its bot. */
export async function registerApp(world: World, spec: NewApp): Promise<App> {
  const keys = await world.random.keyPair();
  const slug = spec.name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const ownerLogin = spec.owner ?? "tollgate-apps";
  if (findAccount(world, ownerLogin) === null) {
    addAccount(world, { login: ownerLogin, type: "Organization", name: null });
  }
  const bot = addAccount(world, { login: `${slug}[bot]`, type: "Bot", name: null });
  return world.apps.insert({
    ...keys,
    id: world.nextId("app"),
    slug,
    name: spec.name,
    ownerId: requireAccount(world, ownerLogin).id,
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
