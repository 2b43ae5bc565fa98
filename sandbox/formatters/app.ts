import type { App, Installation } from "../state/apps.ts";
import { buildNodeId } from "../state/node-id.ts";
import type { World } from "../state/world.ts";
import { formatAccountById } from "./account.ts";
import { formatTime, formatTimeOrNull, type JsonObject } from "./json.ts";

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
  const owner = world.accounts.require(installation.ownerId);
  const app = world.apps.require(installation.appId);
  const api = `${world.origin()}/app/installations/${installation.id}`;
  return {
    id: installation.id,
    client_id: app.clientId,
    account: formatAccountById(world, owner.id),
    repository_selection: installation.repositories === "all" ? "all" : "selected",
    access_tokens_url: `${api}/access_tokens`,
    repositories_url: `${world.origin()}/installation/repositories`,
    html_url:
      owner.type === "Organization"
        ? `${world.origin()}/organizations/${owner.login}/settings/installations/${installation.id}`
        : `${world.origin()}/settings/installations/${installation.id}`,
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
    suspended_by:
      installation.suspendedById === null ? null : formatAccountById(world, installation.suspendedById),
    suspended_at: formatTimeOrNull(installation.suspendedAt),
  };
}
