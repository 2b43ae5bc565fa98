import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { type Answer, failed, succeeded } from "./answer.ts";
import type { RestCall } from "./installation-client.ts";

/** Never logged, never stored: lives in this object and in the header of a request. */
export interface InstallationToken {
  readonly token: string;
  readonly mintedMs: number;
  readonly expiresMs: number;
}

/** New tokens have about 520 characters, old ones 40; neither form is relied on. */
const Minted = z.object({
  token: z.string().min(1).max(4096),
  expires_at: z.iso.datetime({ offset: true }),
});

/** A token is renewed this long before it ends, in milliseconds: clocks differ by about as much. */
const EARLY_MS = 2 * 60_000;
/** However far ahead its stated end: GitHub's tokens live for one hour. */
const MAX_AGE_MS = 55 * 60_000;

export interface TokenSource {
  readonly installationId: number;
  readonly clock: Clock;
  /** A call with the App's own key. */
  readonly asApp: <T>(call: RestCall<T>) => Promise<Answer<T>>;
}

/** One installation's token: minted when needed, by one request however many callers wait for it. */
export class InstallationTokens {
  readonly #source: TokenSource;
  #current: InstallationToken | null = null;
  #pending: Promise<Answer<InstallationToken>> | null = null;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  async token(): Promise<Answer<InstallationToken>> {
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
    const now = this.#source.clock.now();
    return now < token.expiresMs - EARLY_MS && now < token.mintedMs + MAX_AGE_MS;
  }

  async #mint(): Promise<Answer<InstallationToken>> {
    const answer = await this.#source.asApp({
      route: "POST /app/installations/{installation_id}/access_tokens",
      parameters: { installation_id: this.#source.installationId },
      answer: Minted,
    });
    if (!answer.ok)
      return answer.failure.kind === "not_found" ? failed("suspended", "installation is gone", 404) : answer;
    const minted = {
      token: answer.value.token,
      mintedMs: this.#source.clock.now(),
      expiresMs: Date.parse(answer.value.expires_at),
    };
    this.#current = minted;
    return succeeded(minted);
  }
}
