import { createHash } from "node:crypto";
import { z } from "zod";
import { issueUserToken, renewUserToken } from "../actions/user-tokens.ts";
import { type ApiAnswer, ok } from "../api/call.ts";
import type { App, UserToken } from "../state/apps.ts";
import { invalid } from "../state/refusal.ts";
import type { World } from "../state/world.ts";

/** GitHub's codes live for ten minutes. */
export const CODE_LIFE_MS = 600_000;

const TokenRequest = z.object({
  client_id: z.string().default(""),
  client_secret: z.string().default(""),
  grant_type: z.string().default("authorization_code"),
  code: z.string().default(""),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  refresh_token: z.string().default(""),
});
type TokenRequest = z.infer<typeof TokenRequest>;

/** GitHub takes a form as well. */
function readTokenRequest(text: string): TokenRequest {
  const parsed = TokenRequest.safeParse(
    text.startsWith("{") ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text)),
  );
  if (!parsed.success) throw invalid({ resource: "Token", code: "invalid" });
  return parsed.data;
}

/** Exchanges a code or a refresh token. As GitHub does, it answers 200 to refusals too. */
export function exchangeToken(world: World, body: string): ApiAnswer {
  const request = readTokenRequest(body);
  const app = world.apps.find(({ clientId }) => clientId === request.client_id);
  if (app === null || app.clientSecret !== request.client_secret)
    return refuse("incorrect_client_credentials");
  const issued =
    request.grant_type === "refresh_token"
      ? renewUserToken(world, app.id, request.refresh_token)
      : exchangeCode(world, app, request);
  if (typeof issued === "string") return refuse(issued);
  return issued === null ? refuse("bad_refresh_token") : ok(formatToken(world, issued));
}

/** A code is spent by its first use, right or wrong. */
function exchangeCode(world: World, app: App, request: TokenRequest): UserToken | Refusal {
  const code = world.authorizationCodes.get(request.code);
  world.authorizationCodes.delete(request.code);
  if (code === undefined || code.appId !== app.id || code.expiresAt <= world.clock.now())
    return "bad_verification_code";
  if (request.redirect_uri !== undefined && request.redirect_uri !== code.redirectUri)
    return "redirect_uri_mismatch";
  const challenge = createHash("sha256")
    .update(request.code_verifier ?? "")
    .digest("base64url");
  if (code.challenge !== null && code.challenge !== challenge) return "bad_verification_code";
  return issueUserToken(world, code);
}

const REFUSALS = {
  incorrect_client_credentials: "The client_id and/or client_secret passed are incorrect.",
  bad_verification_code: "The code passed is incorrect or expired.",
  redirect_uri_mismatch: "The redirect_uri MUST match the registered callback URL for this application.",
  bad_refresh_token: "The refresh token passed is incorrect or expired.",
};
type Refusal = keyof typeof REFUSALS;

const refuse = (error: Refusal): ApiAnswer =>
  ok({
    error,
    error_description: REFUSALS[error],
    error_uri:
      "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors",
  });

const formatToken = (world: World, issued: UserToken) => ({
  access_token: issued.token,
  expires_in: Math.round((issued.expiresAt - world.clock.now()) / 1000),
  refresh_token: issued.refreshToken,
  refresh_token_expires_in: Math.round((issued.refreshExpiresAt - world.clock.now()) / 1000),
  scope: "",
  token_type: "bearer",
});
