import { createHash } from "node:crypto";
import { parse } from "hono/utils/cookie";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import { type Clock, MINUTE_MS } from "../../kernel/clock.ts";
import { listReadableBy } from "../../store/history/readable.ts";
import { hasRight } from "../../store/rights.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { recordTokenUse, type Token, verifyToken } from "../../store/tokens.ts";
import type { FindReader, Reader } from "../reader.ts";
import {
  createUnavailableError,
  type GitHubAnswer,
  type GitHubUser,
  type GitHubUsers,
  type Session,
  type Sessions,
} from "./sessions.ts";

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

/** Whose rights are asked for: a session, or a token that calls the API. */
export interface TokenHolder {
  /** Separates the cached answers of one holder from those of all others. */
  readonly key: string;
  getAccessToken(): Promise<string | null>;
  /** Called when GitHub no longer accepts the token. */
  drop(): Promise<void>;
}

/** How long GitHub's answer counts, in ms, from when it was asked. */
export const RIGHTS_MS = 5 * MINUTE_MS;
/** Answers in memory; the one that was not used for the longest time goes first. */
const MAX_ANSWERS = 20_000;

interface CachedAnswer<T> {
  readonly askedMs: number;
  readonly answer: Promise<T>;
}

/** What GitHub lets people read, cached for five minutes per holder. Failures are not cached, and no answer means no right. */
export class Rights {
  readonly #clock: Clock;
  readonly #users: Pick<GitHubUsers, "canRead" | "listReadable">;
  readonly #single = new LRUCache<string, CachedAnswer<boolean>>({ max: MAX_ANSWERS });
  readonly #lists = new LRUCache<string, CachedAnswer<ReadonlySet<number>>>({ max: MAX_ANSWERS / 40 });

  constructor(clock: Clock, users: Pick<GitHubUsers, "canRead" | "listReadable">) {
    this.#clock = clock;
    this.#users = users;
  }

  /** Returns the rights of a holder, in the form that readers have them. */
  of(holder: TokenHolder): Pick<Reader, "canRead" | "listReadable"> {
    return {
      canRead: async (repositoryId) => {
        const list = this.#findFresh(this.#lists, holder.key);
        if (list !== null && (await list).has(repositoryId)) return true;
        return this.#ask(this.#single, `${holder.key} ${repositoryId}`, () =>
          request(holder, false, (token) => this.#users.canRead(token, repositoryId)),
        );
      },
      listReadable: () =>
        this.#ask(this.#lists, holder.key, () =>
          request(holder, NOTHING, (token) => this.#users.listReadable(token)),
        ),
    };
  }

  #findFresh<T>(cache: LRUCache<string, CachedAnswer<T>>, key: string): Promise<T> | null {
    const known = cache.get(key);
    return known !== undefined && this.#clock.monotonicMs() - known.askedMs < RIGHTS_MS ? known.answer : null;
  }

  /** Simultaneous callers share one question. */
  #ask<T>(cache: LRUCache<string, CachedAnswer<T>>, key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#findFresh(cache, key);
    if (known !== null) return known;
    const asked = { askedMs: this.#clock.monotonicMs(), answer: ask() };
    cache.set(key, asked);
    asked.answer.catch(() => {
      if (cache.peek(key) === asked) cache.delete(key);
    });
    return asked.answer;
  }
}

const NOTHING: ReadonlySet<number> = new Set();

async function request<T>(
  holder: TokenHolder,
  nothing: T,
  ask: (token: string) => Promise<GitHubAnswer<T>>,
): Promise<T> {
  const token = await holder.getAccessToken();
  if (token === null) return nothing;
  const answer = await ask(token);
  if (answer.ok) return answer.value;
  if (answer.failure.kind !== "unauthorised") throw createUnavailableError(answer.failure.kind);
  await holder.drop();
  return nothing;
}

/** The admins that the operator's file names: numeric ids of users, and teams as `organisation/team`. */
export interface NamedAdmins {
  readonly users: readonly number[];
  readonly teams: readonly string[];
}

export interface AdminDeps {
  readonly clock: Clock;
  readonly users: Pick<GitHubUsers, "listTeamMembers">;
  readonly log: { warn(details: object, message: string): void };
}

/** Answers whether a person is an admin, by GitHub's numeric id. */
export type IsAdmin = (userId: number) => Promise<boolean>;

/** Members of teams are read at most every five minutes. A team whose members GitHub does not show has no admins. */
export function createAdminCheck({ users, teams }: NamedAdmins, deps: AdminDeps): IsAdmin {
  const named = new Set(users);
  const members = teams.map((team) => cacheMembers(team, deps));
  return async (userId) => {
    if (named.has(userId)) return true;
    const all = await Promise.all(members.map((read) => read()));
    return all.some((team) => team.has(userId));
  };
}

function cacheMembers(name: string, { clock, users, log }: AdminDeps): () => Promise<ReadonlySet<number>> {
  let known: { readonly askedMs: number; readonly members: Promise<ReadonlySet<number>> } | null = null;
  const read = async (): Promise<ReadonlySet<number>> => {
    const [organisation = "", team = ""] = name.split("/");
    const answer = await users.listTeamMembers(organisation, team);
    if (answer.ok) return answer.value;
    known = null;
    log.warn({ team: name, failure: answer.failure }, "the members of a team of admins cannot be read");
    return new Set();
  };
  return () => {
    if (known === null || clock.monotonicMs() - known.askedMs >= RIGHTS_MS)
      known = { askedMs: clock.monotonicMs(), members: read() };
    return known.members;
  };
}
