import { createHmac } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import { type Clock, DAY_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { createSeal, type Seal } from "../../store/seal.ts";
import {
  claimRenewal,
  deleteSession,
  findSession,
  finishRenewal,
  type StoredSession,
  saveSession,
} from "../../store/sessions.ts";
import type { Tables } from "../../store/tables/tables.ts";

export interface SessionDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly users: Pick<GitHubUsers, "renewTokens" | "revokeToken">;
  /** Returns new unguessable bytes as base64url. */
  readonly random: (bytes: number) => string;
  readonly wait: (ms: number) => Promise<void>;
  readonly seal: Seal;
  readonly log: { warn(details: object, message: string): void };
}

export interface Session {
  readonly id: string;
  readonly user: GitHubUser;
  /** Proves that a form comes from a page of this session. */
  readonly formToken: string;
  /**
   * Returns a token of the person that GitHub accepts; null: GitHub ended it, and with it the session.
   *
   * @throws TollgateError `github_failed` while GitHub does not answer
   */
  getAccessToken(): Promise<string | null>;
  /** Ends the session because GitHub no longer accepts its token. */
  drop(): Promise<void>;
}

/** A session ends after this time, however it is used. */
const SESSION_MS = 7 * DAY_MS;
/** A session that is not used for this time ends. */
const IDLE_MS = DAY_MS;
/** How old a cookie is before a newer one takes its place. */
const COOKIE_AGE_MS = 10 * MINUTE_MS;
const KEY_BYTES = 32;

/** `key`: decrypts the tokens in the database. `seenMs`: when the cookie was made. */
const Cookie = z.object({ id: z.string(), key: z.string(), seenMs: z.number() });
type Cookie = z.infer<typeof Cookie>;
/** GitHub's tokens of a person. Times in ms since 1970; null: no end, or no refresh token. */
const UserTokens = z.object({
  accessToken: z.string(),
  expiresMs: z.number().nullable(),
  refreshToken: z.string().nullable(),
});
export type UserTokens = Readonly<z.infer<typeof UserTokens>>;

/** Tokens are renewed this time before they end, so that a call that begins now does not end with a token that has. In ms. */
const MARGIN_MS = MINUTE_MS;
/** Longer than any call to GitHub: whoever began a renewal longer ago has died. In ms. */
const CLAIM_MS = 20_000;
const POLL_MS = 100;

/** A session that has not ended, as the database has it, and GitHub's tokens in it. */
interface FoundSession {
  readonly row: StoredSession;
  readonly tokens: UserTokens;
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * The sessions of browsers. The database keeps who it is and GitHub's tokens, encrypted with a key that is in the browser's cookie only:
 * neither a copy of the database nor the secrets of the process open a session. Idle time is counted in the cookie, so that showing a
 * page writes nothing.
 */
export function createSessions({ db, clock, users, random, wait, seal, log }: SessionDeps) {
  /** By the id of the session. */
  const renewals = new Map<string, Promise<string | null>>();

  async function readCookie(text: string | undefined): Promise<Cookie | null> {
    if (text === undefined || text === "") return null;
    const cookie = Cookie.safeParse(await seal.open(text));
    const isIdle = cookie.success && clock.now() - cookie.data.seenMs >= IDLE_MS;
    return cookie.success && !isIdle ? cookie.data : null;
  }

  async function find(cookie: Cookie): Promise<FoundSession | null> {
    const row = await findSession(db, cookie.id, clock.now());
    if (row === undefined) return null;
    const tokens = UserTokens.safeParse(await createTokenSeal(cookie).open(row.tokens));
    return tokens.success ? { row, tokens: tokens.data } : null;
  }

  const isFresh = ({ expiresMs }: UserTokens): boolean =>
    expiresMs === null || expiresMs - MARGIN_MS > clock.now();

  function shareRenewal(cookie: Cookie): Promise<string | null> {
    const renewal =
      renewals.get(cookie.id) ??
      renew(cookie).finally(() => {
        renewals.delete(cookie.id);
      });
    renewals.set(cookie.id, renewal);
    return renewal;
  }

  /**
   * Renews GitHub's tokens of a session. GitHub takes a refresh token once, so one caller among all processes renews and the others
   * wait for its result. The row is reserved, not locked: a transaction that waits for GitHub would hold the embedded database's only
   * connection.
   */
  async function renew(cookie: Cookie): Promise<string | null> {
    for (let waitedMs = 0; waitedMs <= CLAIM_MS; waitedMs += POLL_MS) {
      const found = await find(cookie);
      if (found === null) return null;
      if (isFresh(found.tokens)) return found.tokens.accessToken;
      const nowMs = clock.now();
      if (await claimRenewal(db, found.row, { nowMs, untilMs: nowMs + CLAIM_MS }))
        return exchange(cookie, found);
      await wait(POLL_MS);
    }
    throw createUnavailableError("another process renews the sign-in");
  }

  async function exchange(cookie: Cookie, { row, tokens }: FoundSession): Promise<string | null> {
    const answer = tokens.refreshToken === null ? null : await users.renewTokens(tokens.refreshToken);
    if (answer === null || (!answer.ok && answer.failure.kind === "rejected")) {
      await deleteSession(db, cookie.id);
      return null;
    }
    const kept = answer.ok ? await createTokenSeal(cookie).seal(answer.value) : row.tokens;
    await finishRenewal(db, { session_id: cookie.id, tokens: kept });
    if (!answer.ok) throw createUnavailableError(answer.failure.kind);
    return answer.value.accessToken;
  }

  return {
    /** Begins a session and returns the text of its cookie. */
    async begin(user: GitHubUser, tokens: UserTokens): Promise<string> {
      const cookie = { id: random(16), key: random(KEY_BYTES), seenMs: clock.now() };
      await saveSession(db, {
        session_id: cookie.id,
        user_id: user.id,
        login: user.login,
        tokens: await createTokenSeal(cookie).seal(tokens),
        created_ms: cookie.seenMs,
        expires_ms: cookie.seenMs + SESSION_MS,
      });
      return seal.seal(cookie);
    },
    /** Returns the session of a cookie; null: there is none, it has ended, or the cookie is not ours. */
    async open(text: string | undefined): Promise<Session | null> {
      const cookie = await readCookie(text);
      const found = cookie && (await find(cookie));
      if (cookie === null || found === null) return null;
      const { row, tokens } = found;
      return {
        id: cookie.id,
        user: { id: row.user_id, login: row.login },
        formToken: createHmac("sha256", cookie.key).update("form").digest("base64url"),
        getAccessToken: async () => (isFresh(tokens) ? tokens.accessToken : shareRenewal(cookie)),
        drop: () => deleteSession(db, cookie.id),
      };
    },
    /** Returns a newer cookie in place of one that is in use and some minutes old; null: it is new, or not ours. */
    async renewCookie(text: string | undefined): Promise<string | null> {
      const cookie = await readCookie(text);
      const seenMs = clock.now();
      if (cookie === null || seenMs - cookie.seenMs < COOKIE_AGE_MS) return null;
      return seal.seal({ ...cookie, seenMs });
    },
    /** Ends the session of a cookie and GitHub's token with it. A token that GitHub does not revoke now ends by itself. */
    async end(text: string | undefined): Promise<void> {
      const cookie = await readCookie(text);
      const found = cookie && (await find(cookie));
      if (cookie === null || found === null) return;
      await deleteSession(db, cookie.id);
      const revoked = await users.revokeToken(found.tokens.accessToken);
      if (!revoked.ok)
        log.warn({ failure: revoked.failure }, "GitHub did not revoke the token of a sign-out");
    },
  };
}

const createTokenSeal = ({ key }: Cookie): Seal => createSeal(key, "tokens of a session");

/** The error while GitHub does not say what a person may see. */
export const createUnavailableError = (why: string): TollgateError =>
  new TollgateError("github_failed", `GitHub did not answer for a reader: ${why}`, {
    hint: "Try again in a minute.",
    retryable: true,
  });

export interface GitHubUser {
  /** GitHub's numeric id. */
  readonly id: number;
  readonly login: string;
}

/** An answer of GitHub. `rejected`: GitHub does not accept what was sent; `unauthorised`: the token has ended. */
export type GitHubAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: { readonly kind: string; readonly message: string } };

/** What sign-in needs of GitHub. Nothing throws because of GitHub or the network. */
export interface GitHubUsers {
  buildAuthorizeUrl(request: {
    readonly state: string;
    /** SHA-256 of the verifier in base64url. */
    readonly challenge: string;
    readonly redirectUri: string;
  }): string;
  exchangeCode(request: {
    readonly code: string;
    readonly verifier: string;
    readonly redirectUri: string;
  }): Promise<GitHubAnswer<UserTokens>>;
  renewTokens(refreshToken: string): Promise<GitHubAnswer<UserTokens>>;
  /** Whose token of this App it is; null: it is not one. */
  checkToken(accessToken: string): Promise<GitHubAnswer<GitHubUser | null>>;
  revokeToken(accessToken: string): Promise<GitHubAnswer<null>>;
  readUser(accessToken: string): Promise<GitHubAnswer<GitHubUser>>;
  canRead(accessToken: string, repositoryId: number): Promise<GitHubAnswer<boolean>>;
  /** Repositories of the App's installations that the person has access to. */
  listReadable(accessToken: string): Promise<GitHubAnswer<ReadonlySet<number>>>;
  /** Numeric ids of the members of an organisation's team, by its slug, read as the App. */
  listTeamMembers(organisationId: number, team: string): Promise<GitHubAnswer<ReadonlySet<number>>>;
}
