import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { claimRenewal, deleteSession, findSession, finishRenewal } from "../../store/sessions.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { GitHubUsers, UserTokens } from "./github-users.ts";

export interface RenewalDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly users: Pick<GitHubUsers, "renewTokens">;
  readonly wait: (ms: number) => Promise<void>;
}

/** A session's tokens with the means to read and write them. */
export interface SessionTokens {
  readonly id: string;
  /** As the database has them. */
  readonly sealed: string;
  readonly seal: (tokens: UserTokens) => Promise<string>;
  readonly open: (sealed: string) => Promise<UserTokens | null>;
}

/** Tokens are renewed this time before they end, so that a call that begins now does not end with a token that has. In ms. */
const MARGIN_MS = 60_000;
/** Longer than any call to GitHub: whoever began a renewal longer ago has died. In ms. */
const CLAIM_MS = 20_000;
const POLL_MS = 100;

/**
 * Renews GitHub's tokens of sessions. GitHub takes a refresh token once, so one caller among all processes renews and the others wait
 * for its result. The row is reserved, not locked: a transaction that waits for GitHub would hold the embedded database's only
 * connection.
 */
export class TokenRenewal {
  readonly #deps: RenewalDeps;
  readonly #pending = new Map<string, Promise<UserTokens | null>>();

  constructor(deps: RenewalDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a token that GitHub accepts; null: the session has ended.
   *
   * @throws TollgateError `github_failed` while GitHub does not answer
   */
  async getAccessToken(session: SessionTokens): Promise<string | null> {
    const known = await session.open(session.sealed);
    if (known !== null && this.#isFresh(known)) return known.accessToken;
    const shared =
      this.#pending.get(session.id) ??
      this.#renew(session).finally(() => {
        this.#pending.delete(session.id);
      });
    this.#pending.set(session.id, shared);
    return (await shared)?.accessToken ?? null;
  }

  #isFresh({ expiresMs }: UserTokens): boolean {
    return expiresMs === null || expiresMs - MARGIN_MS > this.#deps.clock.now();
  }

  async #renew(session: SessionTokens): Promise<UserTokens | null> {
    const { db, clock, wait } = this.#deps;
    for (let waitedMs = 0; waitedMs <= CLAIM_MS; waitedMs += POLL_MS) {
      const nowMs = clock.now();
      const row = await findSession(db, session.id, nowMs);
      const tokens = row === undefined ? null : await session.open(row.tokens);
      if (row === undefined || tokens === null) return null;
      if (this.#isFresh(tokens)) return tokens;
      if (await claimRenewal(db, row, { nowMs, untilMs: nowMs + CLAIM_MS }))
        return this.#exchange(session, row.tokens, tokens.refreshToken);
      await wait(POLL_MS);
    }
    throw createUnavailableError("another process renews the sign-in");
  }

  async #exchange(
    session: SessionTokens,
    sealed: string,
    refreshToken: string | null,
  ): Promise<UserTokens | null> {
    const { db, users } = this.#deps;
    if (refreshToken === null) return this.#end(session);
    const answer = await users.renewTokens(refreshToken);
    if (!answer.ok && answer.failure.kind === "rejected") return this.#end(session);
    const kept = answer.ok ? await session.seal(answer.value) : sealed;
    await finishRenewal(db, { session_id: session.id, tokens: kept });
    if (!answer.ok) throw createUnavailableError(answer.failure.kind);
    return answer.value;
  }

  async #end({ id }: SessionTokens): Promise<null> {
    await deleteSession(this.#deps.db, id);
    return null;
  }
}

/** The error while GitHub does not say what a person may see. */
export const createUnavailableError = (why: string): TollgateError =>
  new TollgateError("github_failed", `GitHub did not answer for a reader: ${why}`, {
    hint: "Try again in a minute.",
    retryable: true,
  });
