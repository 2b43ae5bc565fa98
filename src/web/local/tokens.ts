import { z } from "zod";
import { isPlatformId, isScopeName, SCOPE_NAME } from "../../kernel/ids.ts";
import { findOwnerId } from "../../store/installations.ts";
import { findRepository, findRepositoryByName, type Repository } from "../../store/repositories.ts";
import {
  createToken,
  INTERNAL_CREATOR,
  listTokens,
  revokeToken,
  type TokenGrant,
  type TokenRecord,
} from "../../store/tokens.ts";
import { createRefusalError, LOCAL_PATH, type LocalDeps, type LocalOperation } from "./operation.ts";

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

const CreatedToken = z.object({
  id: z.string(),
  secret: z.string(),
  /** ISO 8601; null: until it is revoked. */
  expires: z.string().nullable(),
});
export type CreatedToken = Readonly<z.infer<typeof CreatedToken>>;

/** Creates a token; refuses a repository that the App has never seen. */
export const CREATE_TOKEN: LocalOperation<TokenRequest, CreatedToken> = {
  path: `${LOCAL_PATH}/create-token`,
  input: TokenRequest,
  output: CreatedToken,
  perform: async (deps, request) => {
    const { name, created_by: createdBy, valid_ms: validMs } = request;
    const grant = await findGrant(deps, request);
    const { id, secret, expiresMs } = await createToken(deps.db, grant, deps.clock, {
      ...(name !== undefined && { name }),
      ...(createdBy !== undefined && { createdBy }),
      ...(validMs !== undefined && { validMs }),
    });
    return { id, secret, expires: formatTime(expiresMs) };
  },
};

async function findGrant({ db, account: own }: LocalDeps, request: TokenRequest): Promise<TokenGrant> {
  const { purpose, account = own, owner } = request;
  if (purpose === "api") return { purpose, account };
  const repository = request.repository === null ? null : await resolveRepository(db, request.repository);
  if (purpose === "read") {
    // Without a repository and an owner, the token reads everything that Tollgate knows.
    const ownerId = repository === null && owner !== undefined ? await resolveOwner(db, owner) : null;
    return { purpose, account, repositoryId: repository?.repository_id ?? null, ownerId };
  }
  if (repository === null)
    throw createRefusalError("a repository is missing", "Name it with --repository OWNER/NAME.");
  const { repository_id: repositoryId, owner_login, name } = repository;
  const { org, project } = request;
  return { purpose, account, repositoryId, org: org ?? owner_login, project: project ?? name };
}

async function resolveRepository(db: LocalDeps["db"], repository: string): Promise<Repository> {
  const found = await (/^\d+$/.test(repository)
    ? findRepository(db, Number(repository))
    : findRepositoryByName(db, repository));
  if (found === undefined) throw createUnknownError(`the repository ${repository}`, "OWNER/NAME");
  return found;
}

async function resolveOwner(db: LocalDeps["db"], owner: string): Promise<number> {
  const found = await findOwnerId(db, owner);
  if (found === null) throw createUnknownError(`the owner ${owner}`, "its login");
  return found;
}

const createUnknownError = (what: string, spelling: string) =>
  createRefusalError(
    `${what} is not known here`,
    `Install the GitHub App on it first, or check the spelling (${spelling} or GitHub's numeric id).`,
  );

const Time = z.iso.datetime().nullable();

/** A token in the list for operators; times as ISO 8601, null where there is none. */
const ListedToken = z.object({
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

const TokenList = z.object({ tokens: z.array(ListedToken) });

/** Returns the tokens that people and CI jobs have, newest first; those of Tollgate's own parts are left out. */
export const LIST_TOKENS: LocalOperation<object, z.infer<typeof TokenList>> = {
  path: `${LOCAL_PATH}/list-tokens`,
  input: z.strictObject({}),
  output: TokenList,
  perform: async ({ db, clock }) => {
    const now = clock.now();
    const all = (await listTokens(db)).filter(({ created_by }) => created_by !== INTERNAL_CREATOR);
    return { tokens: all.map((token) => toListedToken(token, now)) };
  },
};

const RevokedToken = z.object({
  /** False: no such token is valid. */
  revoked: z.boolean(),
});

/** Revokes a token, for running processes from their next request on. */
export const REVOKE_TOKEN: LocalOperation<{ readonly id: string }, z.infer<typeof RevokedToken>> = {
  path: `${LOCAL_PATH}/revoke-token`,
  input: z.strictObject({ id: z.string() }),
  output: RevokedToken,
  perform: async ({ db, clock }, { id }) => ({ revoked: await revokeToken(db, id, clock) }),
};
