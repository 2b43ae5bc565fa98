import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { failed, type GitHubResult, succeeded } from "./answer.ts";
import type { RestCall } from "./installation-client.ts";

/** Never logged, never stored: lives in this object and in the header of a request. */
export interface InstallationToken {
  readonly token: string;
  /** When it is renewed, by the monotonic clock. */
  readonly freshUntilMs: number;
}

/** New tokens have about 520 characters, old ones 40; neither form is relied on. */
const Minted = z.object({
  token: z.string().min(1).max(4096),
  expires_at: z.iso.datetime({ offset: true }),
});

/** A token is renewed this long before it ends, in milliseconds: clocks differ by about as much. */
const EARLY_MS = 2 * 60_000;
/** GitHub's tokens live for one hour. */
const LIFE_MS = 60 * 60_000;
/** However far ahead its stated end. */
const MAX_AGE_MS = 55 * 60_000;

/**
 * For how long a new token is used, by the end that GitHub states and our clock at its coming. An end that has passed, or that is more than
 * an hour ahead, tells of our clock and not of the token; should it end earlier, GitHub's 401 has another one minted.
 */
function freshFor(leftMs: number): number {
  const isPlausible = leftMs > EARLY_MS && leftMs <= LIFE_MS + EARLY_MS;
  return isPlausible ? Math.min(leftMs - EARLY_MS, MAX_AGE_MS) : MAX_AGE_MS;
}

export interface TokenSource {
  readonly installationId: number;
  readonly clock: Clock;
  /** A call with the App's own key. */
  readonly asApp: <T>(call: RestCall<T>) => Promise<GitHubResult<T>>;
}

/** One installation's token: minted when needed, by one request for all waiting callers. */
export class InstallationTokens {
  readonly #source: TokenSource;
  #current: InstallationToken | null = null;
  #pending: Promise<GitHubResult<InstallationToken>> | null = null;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  async token(): Promise<GitHubResult<InstallationToken>> {
    if (this.#current !== null && this.#isFresh(this.#current)) return succeeded(this.#current);
    this.#pending ??= this.#mint().finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  /** After a 401: the next caller mints, unless another caller already has. */
  reject(token: InstallationToken): void {
    if (this.#current === token) this.#current = null;
  }

  forget(): void {
    this.#current = null;
  }

  #isFresh(token: InstallationToken): boolean {
    return this.#source.clock.monotonicMs() < token.freshUntilMs;
  }

  async #mint(): Promise<GitHubResult<InstallationToken>> {
    const answer = await this.#source.asApp({
      route: "POST /app/installations/{installation_id}/access_tokens",
      parameters: { installation_id: this.#source.installationId },
      answer: Minted,
    });
    if (!answer.ok)
      return answer.failure.kind === "not_found" ? failed("suspended", "installation is gone", 404) : answer;
    const { clock } = this.#source;
    const leftMs = Date.parse(answer.value.expires_at) - clock.now();
    const minted = {
      token: answer.value.token,
      freshUntilMs: clock.monotonicMs() + freshFor(leftMs),
    };
    this.#current = minted;
    return succeeded(minted);
  }
}
