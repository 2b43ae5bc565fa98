import { z } from "zod";
import { revokeGrant } from "../actions/user-tokens.ts";
import { parseCallBody, parseId } from "../api/body.ts";
import { type ApiCall, type ApiRoute, noContent, ok, type UserCaller } from "../api/call.ts";
import { buildPage } from "../api/paging.ts";
import { formatAccountById, formatProfile } from "../formatters/account.ts";
import { formatApp, formatInstallation } from "../formatters/app.ts";
import { formatTime } from "../formatters/json.ts";
import { formatRepository } from "../formatters/repository.ts";
import type { Installation, UserToken } from "../state/apps.ts";
import { getPermission, isInstalledOn } from "../state/find.ts";
import { notFound } from "../state/refusal.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";

/** Routes of a person's token for an App, and those by which the App examines and ends such tokens. */
export const userRoutes: readonly ApiRoute[] = [
  {
    kind: "user",
    method: "GET",
    path: "/user",
    answer: ({ world, caller }) => ok(formatProfile(world, caller.user)),
  },
  {
    kind: "user",
    method: "GET",
    path: "/user/installations",
    answer: (call) => {
      const all = call.world.installations.filter(
        (row) => listShared(call.world, call.caller, row).length > 0,
      );
      return buildPage(call, all, (page) => ({
        total_count: all.length,
        installations: page.map((row) => formatInstallation(call.world, row)),
      }));
    },
  },
  {
    kind: "user",
    method: "GET",
    path: "/user/installations/{installation_id}/repositories",
    answer: (call) => {
      const installation = call.world.installations.get(parseId(call, "installation_id"));
      const shared = installation === null ? [] : listShared(call.world, call.caller, installation);
      if (shared.length === 0) throw notFound();
      return buildPage(call, shared, (page) => ({
        total_count: shared.length,
        repositories: page.map((row) => formatRepository(call.world, row)),
      }));
    },
  },
  {
    kind: "client",
    method: "POST",
    path: "/applications/{client_id}/token",
    answer: (call) => ok(formatAuthorization(call.world, requireToken(call))),
  },
  {
    kind: "client",
    method: "DELETE",
    path: "/applications/{client_id}/token",
    answer: (call) => {
      call.world.userTokens.delete(requireToken(call).token);
      return noContent;
    },
  },
  {
    kind: "client",
    method: "DELETE",
    path: "/applications/{client_id}/grant",
    answer: (call) => {
      revokeGrant(call.world, requireToken(call));
      return noContent;
    },
  },
];

/** The repositories of an installation for which the person has a permission of their own: being public is not enough. */
const listShared = (world: World, { app, user }: UserCaller, row: Installation): readonly Repository[] =>
  row.appId !== app.id || row.suspendedAt !== null
    ? []
    : world.repositories.filter(
        (repository) =>
          isInstalledOn(row, repository) &&
          getPermission(world, { ...repository, visibility: "private" }, user.id) !== "none",
      );

const TokenBody = z.object({ access_token: z.string() });

function requireToken(call: ApiCall): UserToken {
  const { access_token } = parseCallBody(call, "Authorization", TokenBody);
  const token = call.world.userTokens.get(access_token);
  const isOwn = token?.appId === call.caller.app.id && call.path["client_id"] === call.caller.app.clientId;
  if (token === undefined || !isOwn || token.expiresAt <= call.world.clock.now()) throw notFound();
  return token;
}

function formatAuthorization(world: World, { token, appId, userId, expiresAt }: UserToken) {
  const app = world.apps.require(appId);
  const at = formatTime(expiresAt);
  const { html_url: url, name, client_id } = formatApp(world, app);
  return {
    id: userId,
    url: `${world.origin()}/authorizations/${userId}`,
    app: { client_id, name, url },
    token,
    hashed_token: null,
    token_last_eight: token.slice(-8),
    note: null,
    note_url: null,
    created_at: at,
    updated_at: at,
    expires_at: at,
    scopes: [],
    fingerprint: null,
    user: formatAccountById(world, userId),
  };
}
