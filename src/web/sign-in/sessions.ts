import { createHmac } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { deleteSession, findSession, type StoredSession, saveSession } from "../../store/sessions.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { GitHubUser, GitHubUsers, UserTokens } from "./github-users.ts";
import { createSeal, type Seal } from "./seal.ts";
import { TokenRenewal } from "./token-renewal.ts";

export interface SessionDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly users: Pick<GitHubUsers, "renewTokens" | "revokeToken">;
  /** Returns new unguessable bytes as base64url. */
  readonly random: (bytes: number) => string;
  readonly wait: (ms: number) => Promise<void>;
  /** Seals the cookies. */
  readonly seal: Seal;
  readonly log: { warn(details: object, message: string): void };
}

/** A browser that is signed in. */
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

const DAY_MS = 86_400_000;
/** A session ends after this time, however it is used. */
const SESSION_MS = 7 * DAY_MS;
/** A session that is not used for this time ends. */
const IDLE_MS = DAY_MS;
/** How old a cookie is before a newer one takes its place. */
const COOKIE_AGE_MS = 10 * 60_000;
const KEY_BYTES = 32;

/** `key`: decrypts the tokens in the database. `seenMs`: when the cookie was made. */
const Cookie = z.object({ id: z.string(), key: z.string(), seenMs: z.number() });
type Cookie = z.infer<typeof Cookie>;
const Tokens = z.object({
  accessToken: z.string(),
  expiresMs: z.number().nullable(),
  refreshToken: z.string().nullable(),
});

/**
 * The sessions of browsers. The database keeps who it is and GitHub's tokens, encrypted with a key that is in the browser's cookie only:
 * neither a copy of the database nor the secrets of the process open a session. Idle time is counted in the cookie, so that showing a
 * page writes nothing.
 */
export class Sessions {
  readonly #deps: SessionDeps;
  readonly #renewal: TokenRenewal;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#renewal = new TokenRenewal(deps);
  }

  /** Begins a session and returns the text of its cookie. */
  async begin(user: GitHubUser, tokens: UserTokens): Promise<string> {
    const { db, clock, random } = this.#deps;
    const cookie = { id: random(16), key: random(KEY_BYTES), seenMs: clock.now() };
    await saveSession(db, {
      session_id: cookie.id,
      user_id: user.id,
      login: user.login,
      tokens: await createTokenSeal(cookie).seal(tokens),
      created_ms: cookie.seenMs,
      expires_ms: cookie.seenMs + SESSION_MS,
    });
    return this.#deps.seal.seal(cookie);
  }

  /** Returns the session of a cookie; null: there is none, it has ended, or the cookie is not ours. */
  async open(text: string | undefined): Promise<Session | null> {
    const cookie = await this.#readCookie(text);
    if (cookie === null) return null;
    const row = await findSession(this.#deps.db, cookie.id, this.#deps.clock.now());
    const tokens = row === undefined ? null : await openTokens(cookie, row.tokens);
    return row === undefined || tokens === null ? null : this.#describe(cookie, row);
  }

  /** Returns a newer cookie in place of one that is in use and some minutes old; null: it is new, or not ours. */
  async renewCookie(text: string | undefined): Promise<string | null> {
    const cookie = await this.#readCookie(text);
    const seenMs = this.#deps.clock.now();
    if (cookie === null || seenMs - cookie.seenMs < COOKIE_AGE_MS) return null;
    return this.#deps.seal.seal({ ...cookie, seenMs });
  }

  /** Ends the session of a cookie and GitHub's token with it. A token that GitHub does not revoke now ends by itself. */
  async end(text: string | undefined): Promise<void> {
    const cookie = await this.#readCookie(text);
    if (cookie === null) return;
    const { db, clock, users, log } = this.#deps;
    const row = await findSession(db, cookie.id, clock.now());
    const tokens = row === undefined ? null : await openTokens(cookie, row.tokens);
    if (tokens === null) return;
    await deleteSession(db, cookie.id);
    const revoked = await users.revokeToken(tokens.accessToken);
    if (!revoked.ok) log.warn({ failure: revoked.failure }, "GitHub did not revoke the token of a sign-out");
  }

  async #readCookie(text: string | undefined): Promise<Cookie | null> {
    if (text === undefined || text === "") return null;
    const cookie = Cookie.safeParse(await this.#deps.seal.open(text));
    const isIdle = cookie.success && this.#deps.clock.now() - cookie.data.seenMs >= IDLE_MS;
    return cookie.success && !isIdle ? cookie.data : null;
  }

  #describe(cookie: Cookie, { user_id, login, tokens }: StoredSession): Session {
    const { db } = this.#deps;
    const seal = createTokenSeal(cookie);
    return {
      id: cookie.id,
      user: { id: user_id, login },
      formToken: createHmac("sha256", cookie.key).update("form").digest("base64url"),
      getAccessToken: () =>
        this.#renewal.getAccessToken({
          id: cookie.id,
          sealed: tokens,
          seal: (renewed) => seal.seal(renewed),
          open: (sealed) => openTokens(cookie, sealed),
        }),
      drop: () => deleteSession(db, cookie.id),
    };
  }
}

const createTokenSeal = ({ key }: Cookie): Seal => createSeal(key, "tokens of a session");

async function openTokens(cookie: Cookie, sealed: string): Promise<UserTokens | null> {
  const tokens = Tokens.safeParse(await createTokenSeal(cookie).open(sealed));
  return tokens.success ? tokens.data : null;
}
