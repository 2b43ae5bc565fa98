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
  readonly rights: FindRights;
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
    ...rights({ key: `session ${session.id}`, getAccessToken, drop }),
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
  return { userId: user.id, login: user.login, isAdmin: await isAdmin(user.id), ...rights(holder) };
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
  const owners = createAnswerCache<{ readonly user: GitHubUser | null }>(clock, MAX_TOKENS);
  return async (token) => {
    if (!USER_TOKEN.test(token)) return null;
    const key = hash(token);
    const { user } = await owners.ask(key, async () => {
      const answer = await users.checkToken(token);
      if (!answer.ok) throw createUnavailableError(answer.failure.kind);
      return { user: answer.value };
    });
    if (user === null) owners.forget(key);
    return user;
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
const ANSWER_MS = 5 * MINUTE_MS;

/** Remembers answers of GitHub. Simultaneous callers share one question; failures are not remembered. */
function createAnswerCache<T>(clock: Clock, max: number) {
  const perf = { now: () => clock.monotonicMs() + 1 }; // to the library, 0 is no time
  const answers = new LRUCache<string, Promise<T>>({ max, perf, ttl: ANSWER_MS - 1, ttlResolution: 0 });
  return {
    find: (key: string) => answers.get(key),
    ask: (key: string, ask: () => Promise<T>): Promise<T> => {
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = ask();
      answers.set(key, answer);
      answer.catch(() => {
        if (answers.peek(key) === answer) answers.delete(key);
      });
      return answer;
    },
    forget: (key: string) => answers.delete(key),
  };
}

/** Answers in memory; the one that was not used for the longest time goes first. */
const MAX_ANSWERS = 20_000;

/** Returns the rights of a holder, in the form that readers have them. */
export type FindRights = (holder: TokenHolder) => Pick<Reader, "canRead" | "listReadable">;

/** Finds what GitHub lets people read. No answer means no right. */
export function createRights(clock: Clock, users: Pick<GitHubUsers, "canRead" | "listReadable">): FindRights {
  const single = createAnswerCache<boolean>(clock, MAX_ANSWERS);
  const lists = createAnswerCache<ReadonlySet<number>>(clock, MAX_ANSWERS / 40);
  return (holder) => ({
    canRead: async (repositoryId) => {
      if ((await lists.find(holder.key))?.has(repositoryId)) return true;
      return single.ask(`${holder.key} ${repositoryId}`, () =>
        request(holder, false, (token) => users.canRead(token, repositoryId)),
      );
    },
    listReadable: () =>
      lists.ask(holder.key, () => request(holder, NOTHING, (token) => users.listReadable(token))),
  });
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

/** The admins that the operator's file names. The id of a team's organisation stays when its login does not. */
export interface NamedAdmins {
  readonly users: readonly number[];
  readonly teams: readonly { readonly organisationId: number; readonly slug: string }[];
}

export interface AdminDeps {
  readonly clock: Clock;
  readonly users: Pick<GitHubUsers, "listTeamMembers">;
  readonly log: { warn(details: object, message: string): void };
}

/** Answers whether a person is an admin, by GitHub's numeric id. */
export type IsAdmin = (userId: number) => Promise<boolean>;

/** A team whose members GitHub does not show has no admins. */
export function createAdminCheck({ users: named, teams }: NamedAdmins, deps: AdminDeps): IsAdmin {
  const { clock, users, log } = deps;
  const members = createAnswerCache<ReadonlySet<number>>(clock, Math.max(1, teams.length));
  const readMembers = ({ organisationId, slug }: NamedAdmins["teams"][number]) => {
    const name = `${organisationId}/${slug}`;
    return members.ask(name, async () => {
      const answer = await users.listTeamMembers(organisationId, slug);
      if (answer.ok) return answer.value;
      members.forget(name);
      log.warn({ team: name, failure: answer.failure }, "the members of a team of admins cannot be read");
      return NOTHING;
    });
  };
  return async (userId) => {
    if (named.includes(userId)) return true;
    const all = await Promise.all(teams.map(readMembers));
    return all.some((team) => team.has(userId));
  };
}
