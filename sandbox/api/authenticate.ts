import { createVerify } from "node:crypto";
import { z } from "zod";
import type { App } from "../state/records.ts";
import type { World } from "../state/world.ts";
import { ApiRefusal, type Caller } from "./call.ts";

/** GitHub's limits: a JWT lives at most ten minutes, and clocks may differ by one minute. */
const MAX_LIFE_S = 600;
const DRIFT_S = 60;

const badCredentials = (): ApiRefusal => new ApiRefusal(401, "Bad credentials");
const noToken = (): ApiRefusal => new ApiRefusal(401, "A JSON web token could not be decoded");

/** Returns the caller of the Authorization header; refuses with 401, or 403 for a suspended installation. */
export function authenticateCaller(world: World, header: string | null): Caller {
  const [, scheme = "", credential = ""] = /^(bearer|token|basic)\s+(\S+)$/i.exec(header ?? "") ?? [];
  if (credential === "") throw new ApiRefusal(401, "Requires authentication");
  if (scheme.toLowerCase() === "basic") return { kind: "client", app: verifyClient(world, credential) };
  if (credential.startsWith("ghu_")) return verifyUserToken(world, credential);
  const looksLikeJwt = scheme.toLowerCase() === "bearer" && credential.split(".").length === 3;
  return looksLikeJwt && !credential.startsWith("ghs_")
    ? { kind: "app", app: verifyAppToken(world, credential) }
    : verifyInstallationToken(world, credential);
}

function verifyClient(world: World, credential: string): App {
  const [id, secret] = Buffer.from(credential, "base64").toString("utf8").split(":");
  const app = world.apps.find(({ clientId, clientSecret }) => clientId === id && clientSecret === secret);
  if (app === null) throw badCredentials();
  return app;
}

function verifyUserToken(world: World, text: string): Caller {
  const token = world.userTokens.get(text);
  if (token === undefined || token.expiresAt <= world.clock.now()) throw badCredentials();
  return { kind: "user", app: world.apps.require(token.appId), user: world.accounts.require(token.userId) };
}

function verifyInstallationToken(world: World, text: string): Caller {
  const token = world.tokens.get(text);
  const installation = world.installations.get(token?.installationId ?? -1);
  if (token === undefined || installation === null || token.expiresAt <= world.clock.now())
    throw badCredentials();
  if (installation.suspendedAt !== null) throw new ApiRefusal(403, "This installation has been suspended");
  const app = world.apps.require(installation.appId);
  const { permissions, repositoryIds } = token;
  return {
    ...{ kind: "installation" as const, app, bot: world.accounts.require(app.botId) },
    ...{ installation, permissions, repositoryIds },
  };
}

const Header = z.object({ alg: z.literal("RS256") });
const Claims = z.object({ iss: z.union([z.string(), z.number()]), iat: z.number(), exp: z.number() });

function verifyAppToken(world: World, jwt: string): App {
  const [head = "", claims = "", signature = ""] = jwt.split(".");
  const parsed = Claims.safeParse(decodePart(claims));
  if (!Header.safeParse(decodePart(head)).success || !parsed.success) throw noToken();
  const { iss, iat, exp } = parsed.data;
  const app = world.apps.find((row) => String(row.id) === String(iss) || row.clientId === iss);
  if (app === null) throw new ApiRefusal(401, "Integration not found");
  const check = createVerify("RSA-SHA256").update(`${head}.${claims}`);
  if (!check.verify(app.publicKey, signature, "base64url")) throw noToken();
  checkTokenTimes(world.clock.now() / 1000, { iat, exp });
  return app;
}

/** Octokit parses this exact message and corrects its clock by the answer's Date header. */
function checkTokenTimes(now: number, times: { iat: number; exp: number }): void {
  if (times.iat > now + DRIFT_S) {
    const words = "must be an Integer representing the time that the assertion was issued";
    throw new ApiRefusal(401, `'Issued at' claim ('iat') ${words}`);
  }
  if (times.exp <= now) {
    const words = "must be a numeric value representing the future time at which the assertion expires";
    throw new ApiRefusal(401, `'Expiration time' claim ('exp') ${words}`);
  }
  if (times.exp > now + MAX_LIFE_S + DRIFT_S)
    throw new ApiRefusal(401, "'Expiration time' claim ('exp') is too far in the future");
}

function decodePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
