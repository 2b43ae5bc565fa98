import { createHash } from "node:crypto";
import { parse } from "hono/utils/cookie";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../kernel/clock.ts";
import { listReadableBy } from "../../store/history/readable.ts";
import { hasRight } from "../../store/rights.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { recordTokenUse, type Token, verifyToken } from "../../store/tokens.ts";
import type { FindReader, Reader } from "../reader.ts";
import type { IsAdmin } from "./admins.ts";
import type { GitHubUser, GitHubUsers } from "./github-users.ts";
import { RIGHTS_MS, type Rights } from "./rights.ts";
import type { Session, Sessions } from "./sessions.ts";
import { createUnavailableError } from "./token-renewal.ts";

/** What people sign in with; without it, only read tokens are readers. */
export interface PeopleDeps {
  readonly users: GitHubUsers;
  readonly sessions: Sessions;
  readonly rights: Rights;
  readonly isAdmin: IsAdmin;
  /** Name of the cookie of a session. */
  readonly cookie: string;
}

export interface FindReaderDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Only tokens of this account are valid. */
  readonly account: string;
  /** Null: nobody can sign in. */
  readonly people: PeopleDeps | null;
}

/** A request with a bearer token is its holder's, whatever cookie a browser adds to it. */
export function createFindReader(deps: FindReaderDeps): FindReader {
  const findUser = deps.people === null ? null : createTokenOwners(deps.people, deps.clock);
  return async (request) => {
    const bearer = readBearer(request);
    if (bearer !== null && !bearer.startsWith("ghu_")) return findTokenReader(deps, bearer);
    if (deps.people === null || findUser === null) return null;
    if (bearer !== null) return findUserReader(deps.people, findUser, bearer);
    const session = await findSession(deps.people, request);
    return session === null ? null : describeSession(deps.people, session);
  };
}

/** Returns the bearer token of a request; null: it has none. Credentials of other schemes belong to a proxy. */
export const readBearer = (request: Request): string | null =>
  /^bearer +(\S{1,1000}) *$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;

/** Returns the session of a request's cookie. */
export const findSession = (
  { sessions, cookie }: Pick<PeopleDeps, "sessions" | "cookie">,
  request: Request,
): Promise<Session | null> => sessions.open(readCookie(request, cookie));

export const readCookie = (request: Request, name: string): string | undefined =>
  parse(request.headers.get("cookie") ?? "", name)[name];

async function describeSession({ rights, isAdmin }: PeopleDeps, session: Session): Promise<Reader> {
  const { id, login } = session.user;
  const { getAccessToken, drop } = session;
  return {
    ...{ userId: id, login, isAdmin: await isAdmin(id), formToken: session.formToken },
    ...rights.of({ key: `session ${session.id}`, getAccessToken, drop }),
  };
}

async function findUserReader(
  { rights, isAdmin }: PeopleDeps,
  findUser: TokenOwners,
  token: string,
): Promise<Reader | null> {
  const user = await findUser(token);
  if (user === null) return null;
  const holder = { key: `token ${hash(token)}`, getAccessToken: async () => token, drop: async () => {} };
  return { userId: user.id, login: user.login, isAdmin: await isAdmin(user.id), ...rights.of(holder) };
}

type TokenOwners = (token: string) => Promise<GitHubUser | null>;

/** User tokens in memory. */
const MAX_TOKENS = 1_000;
const USER_TOKEN = /^ghu_[A-Za-z0-9_.-]{10,500}$/;

/**
 * Finds whose user tokens they are. Only tokens of this App count, which GitHub is asked for: another App's token says nothing of
 * what its holder lets Tollgate do.
 */
function createTokenOwners({ users }: PeopleDeps, clock: Clock): TokenOwners {
  const known = new LRUCache<string, { readonly askedMs: number; readonly user: GitHubUser }>({
    max: MAX_TOKENS,
  });
  return async (token) => {
    if (!USER_TOKEN.test(token)) return null;
    const key = hash(token);
    const found = known.get(key);
    if (found !== undefined && clock.monotonicMs() - found.askedMs < RIGHTS_MS) return found.user;
    const askedMs = clock.monotonicMs();
    const answer = await users.checkToken(token);
    if (!answer.ok) throw createUnavailableError(answer.failure.kind);
    if (answer.value !== null) known.set(key, { askedMs, user: answer.value });
    return answer.value;
  };
}

const hash = (token: string): string => createHash("sha256").update(token).digest("base64url");

async function findTokenReader({ db, clock, account }: FindReaderDeps, text: string): Promise<Reader | null> {
  const token = await verifyToken(db, text, clock);
  if (token === null || !hasRight(token, "read") || token.account !== account) return null;
  await recordTokenUse(db, token, clock);
  return describeToken(db, token);
}

function describeToken(db: Kysely<Tables>, token: Token & { readonly purpose: "read" }): Reader {
  const { repositoryId, ownerId } = token;
  return {
    userId: null,
    login: token.name ?? `token ${token.id}`,
    isAdmin: false,
    canRead: async (id) =>
      (repositoryId === null || repositoryId === id) &&
      (await listReadableBy(db, { repositoryId: id, ownerId })).has(id),
    listReadable: () => listReadableBy(db, { repositoryId, ownerId }),
  };
}
