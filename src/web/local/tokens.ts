import { Hono } from "hono";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { isPlatformId, isScopeName, SCOPE_NAME } from "../../kernel/ids.ts";
import { findOwnerId } from "../../store/installations.ts";
import { findRepository, findRepositoryByName, type Repository } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import {
  createToken,
  INTERNAL_CREATOR,
  listTokens,
  revokeToken,
  type TokenGrant,
  type TokenRecord,
} from "../../store/tokens.ts";
import { readJson } from "../read-json.ts";
import { createLocalAccess, type LocalConnection, LocalRefusal } from "./access.ts";

const PlatformId = z.string().refine(isPlatformId, "expected 1 to 128 letters, digits or _ . $ -");
const ScopeName = z.string().refine(isScopeName, `expected ${SCOPE_NAME}`);

/** The request of `tollgate token create`. Without a repository the token is valid for the whole account. */
export const TokenRequest = z.strictObject({
  purpose: z.enum(["api", "import", "notify", "read"]),
  /** `owner/name` or GitHub's numeric id. */
  repository: z.string().min(1).nullable(),
  /** Of a read token: login or GitHub's numeric id of the owner whose repositories it reads. */
  owner: z.string().min(1).optional(),
  /** Defaults of the embedded platform: org = owner, project = repository. */
  org: ScopeName.nullable(),
  project: ScopeName.nullable(),
  /** An account of the embedded platform, which serves every account that has tokens; absent: the operator's own. */
  account: PlatformId.optional(),
  /** The operator's word for the token. */
  name: z.string().min(1).max(100).optional(),
  created_by: z.string().max(200).optional(),
  /** The token is valid for this time, in ms; absent: until it is revoked. */
  valid_ms: z.int().positive().optional(),
});
export type TokenRequest = z.infer<typeof TokenRequest>;

export const TokenResult = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("created"),
    id: z.string(),
    secret: z.string(),
    /** ISO 8601; null: until it is revoked. */
    expires: z.string().nullable(),
  }),
  LocalRefusal,
]);
export type TokenResult = Readonly<z.infer<typeof TokenResult>>;

/** The answer to a revocation. False: no such token is valid. */
export const RevokedToken = z.object({ revoked: z.boolean() });

export interface TokenDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly account: string;
}

/** Creates a token; refuses a repository that the App has never seen. */
export async function grantToken(deps: TokenDeps, request: TokenRequest): Promise<TokenResult> {
  const { account = deps.account } = request;
  if (request.purpose === "api") return createGrantedToken(deps, request, { purpose: "api", account });
  if (request.purpose === "read") return grantReadToken(deps, request, account);
  if (request.repository === null) {
    return {
      state: "refused",
      message: "a repository is missing",
      hint: "Name it with --repository OWNER/NAME.",
    };
  }
  const repository = await resolveRepository(deps.db, request.repository);
  if (repository === undefined) return refuseUnknown(`the repository ${request.repository}`, "OWNER/NAME");
  return createGrantedToken(deps, request, {
    purpose: request.purpose,
    account,
    repositoryId: repository.repository_id,
    org: request.org ?? repository.owner_login,
    project: request.project ?? repository.name,
  });
}

/** Without a repository and an owner, the token reads everything that Tollgate knows. */
async function grantReadToken(deps: TokenDeps, request: TokenRequest, account: string): Promise<TokenResult> {
  const grant = { purpose: "read", account, repositoryId: null, ownerId: null } as const;
  if (request.repository !== null) {
    const repository = await resolveRepository(deps.db, request.repository);
    if (repository === undefined) return refuseUnknown(`the repository ${request.repository}`, "OWNER/NAME");
    return createGrantedToken(deps, request, { ...grant, repositoryId: repository.repository_id });
  }
  if (request.owner === undefined) return createGrantedToken(deps, request, grant);
  const ownerId = await findOwnerId(deps.db, request.owner);
  if (ownerId === null) return refuseUnknown(`the owner ${request.owner}`, "its login");
  return createGrantedToken(deps, request, { ...grant, ownerId });
}

const refuseUnknown = (what: string, spelling: string): TokenResult => ({
  state: "refused",
  message: `${what} is not known here`,
  hint: `Install the GitHub App on it first, or check the spelling (${spelling} or GitHub's numeric id).`,
});

const resolveRepository = (db: Kysely<Tables>, repository: string): Promise<Repository | undefined> =>
  /^\d+$/.test(repository) ? findRepository(db, Number(repository)) : findRepositoryByName(db, repository);

async function createGrantedToken(
  { db, clock }: TokenDeps,
  { name, created_by: createdBy, valid_ms: validMs }: TokenRequest,
  grant: TokenGrant,
): Promise<TokenResult> {
  const { id, secret, expiresMs } = await createToken(db, grant, clock, {
    ...(name !== undefined && { name }),
    ...(createdBy !== undefined && { createdBy }),
    ...(validMs !== undefined && { validMs }),
  });
  return { state: "created", id, secret, expires: formatTime(expiresMs) };
}

const Time = z.iso.datetime().nullable();

/** A token in the list for operators; times as ISO 8601, null where there is none. */
export const ListedToken = z.object({
  id: z.string(),
  name: z.string().nullable(),
  purpose: z.enum(["api", "import", "notify", "read"]),
  state: z.enum(["active", "expired", "revoked"]),
  account: z.string(),
  repository: z.string().nullable(),
  repository_id: z.number().nullable(),
  owner_id: z.number().nullable(),
  org: z.string().nullable(),
  project: z.string().nullable(),
  created_by: z.string().nullable(),
  created: z.iso.datetime(),
  expires: Time,
  last_used: Time,
  revoked: Time,
});
export type ListedToken = Readonly<z.infer<typeof ListedToken>>;
export const TokenList = z.object({ tokens: z.array(ListedToken) });

/** Returns the tokens that people and CI jobs have, newest first; those of Tollgate's own parts are left out. */
export async function readTokens({
  db,
  clock,
}: Pick<TokenDeps, "db" | "clock">): Promise<readonly ListedToken[]> {
  const now = clock.now();
  const all = await listTokens(db);
  return all
    .filter(({ created_by }) => created_by !== INTERNAL_CREATOR)
    .map((token) => toListedToken(token, now));
}

function toListedToken(token: TokenRecord, now: number): ListedToken {
  const { id, name, purpose, account, repository, repository_id, owner_id, org, project, created_by } = token;
  const { revoked_ms, expires_ms, last_used_ms, created_ms } = token;
  const isExpired = expires_ms !== null && expires_ms <= now;
  return {
    ...{ id, name, purpose, state: revoked_ms !== null ? "revoked" : isExpired ? "expired" : "active" },
    ...{ account, repository, repository_id, owner_id, org, project, created_by },
    created: new Date(created_ms).toISOString(),
    expires: formatTime(expires_ms),
    last_used: formatTime(last_used_ms),
    revoked: formatTime(revoked_ms),
  };
}

const formatTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const TOKENS_PATH = "/tollgate/v1/tokens";

/** The requests to a running process: they read `TokenList`, `TokenResult` and `RevokedToken`. */
export const TOKENS_REQUEST = { address: TOKENS_PATH, type: "application/json" } as const;
export const buildTokenRequest = (content: TokenRequest) => ({
  ...TOKENS_REQUEST,
  method: "POST" as const,
  content,
});
export const buildRevocationRequest = (id: string) => ({
  ...{ address: `${TOKENS_PATH}/${encodeURIComponent(id)}`, type: "application/json" },
  method: "DELETE" as const,
});

const LIMITS = { maxBytes: 4 * 1024, timeoutMs: 5_000 } as const;

/**
 * `POST /tollgate/v1/tokens` creates a token, `GET` lists all, `DELETE /tollgate/v1/tokens/{id}` revokes one. The command line
 * of the same machine uses them while this process has the embedded database open.
 */
export function createTokenRoute(deps: TokenDeps, key: string): Hono<{ Bindings: LocalConnection }> {
  const app = new Hono<{ Bindings: LocalConnection }>();
  app.use(`${TOKENS_PATH}/:id?`, createLocalAccess(key));
  app.get(TOKENS_PATH, async (context) => context.json({ tokens: await readTokens(deps) }, 200));
  app.delete(`${TOKENS_PATH}/:id`, async (context) => {
    const revoked = await revokeToken(deps.db, context.req.param("id"), deps.clock);
    return context.json({ revoked }, 200);
  });
  return app.post(TOKENS_PATH, async (context) => {
    const body = await readJson(context.req.raw, LIMITS);
    const request = TokenRequest.safeParse(body.state === "read" ? body.value : undefined);
    if (!request.success) return context.json({ message: "not a token request" }, 400);
    return context.json(await grantToken(deps, request.data), 200);
  });
}
