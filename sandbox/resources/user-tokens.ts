import { createHash } from "node:crypto";
import { z } from "zod";
import {
  type ApiAnswer,
  type ApiCall,
  type ApiRoute,
  answerList,
  invalid,
  type JsonObject,
  noContent,
  notFound,
  ok,
  parseCallBody,
  parseId,
  route,
  type UserCaller,
} from "../api/call.ts";
import type { App, Installation, Repository, UserToken } from "../state/records.ts";
import { getPermission, isInstalledOn, requireAccount, type World } from "../state/world.ts";
import { formatAccount } from "./accounts.ts";
import { formatInstallation } from "./apps.ts";
import { formatRepository } from "./repositories.ts";

/** GitHub's: eight hours, about six months, and ten minutes. */
const TOKEN_LIFE_MS = 28_800_000;
const REFRESH_LIFE_MS = 15_897_600_000;
const CODE_LIFE_MS = 600_000;

/** A person's authorizations of Apps. */
export const createUserTokenVerbs = (world: World) => ({
  /** Returns a user access token of the App for a person, as if the person had authorized it elsewhere. */
  authorizeApp: ({ appId, login }: { appId: number; login: string }): UserToken =>
    issueUserToken(world, appId, requireAccount(world, login).id),
  /** Ends all of a person's tokens for the App. Sends `github_app_authorization.revoked`. */
  revokeAuthorization: ({ appId, login }: { appId: number; login: string }): void => {
    const { id } = requireAccount(world, login);
    for (const [token, of] of world.userTokens)
      if (of.appId === appId && of.userId === id) world.userTokens.delete(token);
    world.notify({
      ...{ app: world.apps.require(appId), installationId: null, repositoryId: null },
      ...{ event: "github_app_authorization", action: "revoked" },
      body: JSON.stringify({ action: "revoked", sender: formatAccount(world, id) }),
    });
  },
});

/** Returns a code for the App to exchange once for a token of the person. */
export function issueCode(
  world: World,
  of: { appId: number; userId: number; redirectUri: string; challenge: string | null },
): string {
  const code = world.random.text(20);
  world.authorizationCodes.set(code, { ...of, expiresAt: world.clock.now() + CODE_LIFE_MS });
  return code;
}

function issueUserToken(world: World, appId: number, userId: number): UserToken {
  const now = world.clock.now();
  const token = `ghu_${world.random.text(36)}`;
  const refreshToken = `ghr_${world.random.text(76)}`;
  const times = { expiresAt: now + TOKEN_LIFE_MS, refreshExpiresAt: now + REFRESH_LIFE_MS };
  const issued = { token, refreshToken, appId, userId, ...times };
  world.userTokens.set(token, issued);
  return issued;
}

/** What a person's token reads, and how the App examines and ends such tokens. */
export const userRoutes: readonly ApiRoute[] = [
  route.user("GET /user", [], ({ world, caller }) => ok(formatAccount(world, caller.user.id))),
  route.user("GET /user/installations", [], (call) => {
    const all = call.world.installations.filter((row) => listShared(call.world, call.caller, row).length > 0);
    return answerList(call, all, formatInstallation, (installations) => ({
      total_count: all.length,
      installations,
    }));
  }),
  route.user("GET /user/installations/{installation_id}/repositories", [], (call) => {
    const installation = call.world.installations.get(parseId(call, "installation_id"));
    const shared = installation === null ? [] : listShared(call.world, call.caller, installation);
    if (shared.length === 0) throw notFound();
    return answerList(call, shared, formatRepository, (repositories) => ({
      total_count: shared.length,
      repositories,
    }));
  }),
  route.client("POST /applications/{client_id}/token", [], (call) =>
    ok(formatAuthorization(call.world, requireToken(call))),
  ),
  route.client("DELETE /applications/{client_id}/token", [], (call) => {
    call.world.userTokens.delete(requireToken(call).token);
    return noContent;
  }),
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

function requireToken(call: ApiCall): UserToken {
  const { world, caller } = call;
  const { access_token } = parseCallBody(call, "Authorization", z.object({ access_token: z.string() }));
  const token = world.userTokens.get(access_token);
  const isOwn = token?.appId === caller.app.id && call.path["client_id"] === caller.app.clientId;
  if (token === undefined || !isOwn || token.expiresAt <= world.clock.now()) throw notFound();
  return token;
}

const formatAuthorization = (world: World, { appId, userId }: UserToken): JsonObject => ({
  app: { client_id: world.apps.require(appId).clientId },
  user: formatAccount(world, userId),
});

const TokenRequest = z.object({
  client_id: z.string().default(""),
  client_secret: z.string().default(""),
  grant_type: z.string().default("authorization_code"),
  code: z.string().default(""),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().default(""),
  refresh_token: z.string().default(""),
});
type TokenRequest = z.infer<typeof TokenRequest>;

const REFUSALS = {
  incorrect_client_credentials: "The client_id and/or client_secret passed are incorrect.",
  bad_verification_code: "The code passed is incorrect or expired.",
  redirect_uri_mismatch: "The redirect_uri MUST match the registered callback URL for this application.",
  bad_refresh_token: "The refresh token passed is incorrect or expired.",
};
type Refusal = keyof typeof REFUSALS;

/** Answers `/login/oauth/access_token` for a body in JSON or a form's. As GitHub does, it answers 200 to refusals too. */
export function exchangeToken(world: World, body: string): ApiAnswer {
  const parsed = TokenRequest.safeParse(
    body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body)),
  );
  if (!parsed.success) throw invalid({ resource: "Token", code: "invalid" });
  const issued = exchange(world, parsed.data);
  if (typeof issued !== "string")
    return ok({
      access_token: issued.token,
      expires_in: Math.round((issued.expiresAt - world.clock.now()) / 1000),
      refresh_token: issued.refreshToken,
      refresh_token_expires_in: Math.round((issued.refreshExpiresAt - world.clock.now()) / 1000),
      scope: "",
      token_type: "bearer",
    });
  return ok({
    error: issued,
    error_description: REFUSALS[issued],
    error_uri:
      "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors",
  });
}

function exchange(world: World, request: TokenRequest): UserToken | Refusal {
  const app = world.apps.find(({ clientId }) => clientId === request.client_id);
  if (app === null || app.clientSecret !== request.client_secret) return "incorrect_client_credentials";
  return request.grant_type === "refresh_token"
    ? renewUserToken(world, app, request.refresh_token)
    : exchangeCode(world, app, request);
}

/** A code is spent by its first use, right or wrong. */
function exchangeCode(world: World, app: App, request: TokenRequest): UserToken | Refusal {
  const code = world.authorizationCodes.get(request.code);
  world.authorizationCodes.delete(request.code);
  if (code === undefined || code.appId !== app.id || code.expiresAt <= world.clock.now())
    return "bad_verification_code";
  if (request.redirect_uri !== undefined && request.redirect_uri !== code.redirectUri)
    return "redirect_uri_mismatch";
  const challenge = createHash("sha256").update(request.code_verifier).digest("base64url");
  if (code.challenge !== null && code.challenge !== challenge) return "bad_verification_code";
  return issueUserToken(world, app.id, code.userId);
}

/** A refresh token works once, and ends the token that it came with. */
function renewUserToken(world: World, app: App, refreshToken: string): UserToken | Refusal {
  const old = world.userTokens
    .values()
    .find((one) => one.appId === app.id && one.refreshToken === refreshToken);
  if (old === undefined || old.refreshExpiresAt <= world.clock.now()) return "bad_refresh_token";
  world.userTokens.delete(old.token);
  return issueUserToken(world, app.id, old.userId);
}
