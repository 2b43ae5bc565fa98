import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/rest";
import type { EndpointOptions, OctokitResponse, RequestInterface } from "@octokit/types";
import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import { GitHubError } from "./github-error.ts";
import { createGitHubFailure } from "./result.ts";

/** New tokens have about 520 characters, old ones 40; neither form is relied on. */
const Minted = z.object({ token: z.string().min(1).max(4096) });
/** GitHub's tokens live for one hour. Clocks differ, so its stated end is not relied on. */
const MAX_AGE_MS = 55 * 60_000;

const MINT = "POST /app/installations/{installation_id}/access_tokens";

/** Never logged, never stored: lives in this object and in the header of a request. */
interface InstallationToken {
  readonly token: string;
  /** When it is renewed, by the monotonic clock. */
  readonly freshUntilMs: number;
}

export interface InstallationAuthOptions {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  readonly installationId: number;
  readonly clock: Clock;
}

/**
 * Octokit's authentication as an installation. `@octokit/auth-app` mints the token. It is held here, because auth-app measures its
 * age by the machine's clock, which can be set back, and repeats a call for seconds with a token that GitHub rejects.
 */
export class InstallationAuth {
  readonly #options: InstallationAuthOptions;
  #log: Octokit["log"] | null = null;
  #current: InstallationToken | null = null;
  #pending: Promise<InstallationToken> | null = null;

  constructor(options: InstallationAuthOptions) {
    this.#options = options;
  }

  /** For Octokit's option `authStrategy`. */
  readonly strategy = ({ log }: Pick<Octokit, "log">) => {
    this.#log = log;
    return { hook: this.#authenticate };
  };

  forget(): void {
    this.#current = null;
  }

  /** A 401 proves that nothing happened, so one attempt with a new token is safe for writes too. */
  readonly #authenticate = async (
    request: RequestInterface,
    call: EndpointOptions,
  ): Promise<OctokitResponse<unknown>> => {
    const first = await this.#token(request);
    try {
      return await request(withToken(call, first));
    } catch (error) {
      if (!hasStatus(error, 401)) throw error;
      if (this.#current === first) this.#current = null; // unless another call has already replaced it
      return request(withToken(call, await this.#token(request)));
    }
  };

  /** One request for all waiting calls. */
  async #token(request: RequestInterface): Promise<InstallationToken> {
    const current = this.#current;
    if (current !== null && this.#options.clock.monotonicMs() < current.freshUntilMs) return current;
    this.#pending ??= this.#mint(request).finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async #mint(request: RequestInterface): Promise<InstallationToken> {
    const { clock, appId, privateKey, installationId } = this.#options;
    const { hook } = createAppAuth({ appId, privateKey, ...(this.#log !== null && { log: this.#log }) });
    // Unlike `auth({ type: "installation" })`, the hook tries again with GitHub's time where the machine's clock differs from it.
    const minted = await hook(request, MINT, { installation_id: installationId }).catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error;
      throw new GitHubError(createGitHubFailure("suspended", "installation is gone", 404), error);
    });
    const parsed = Minted.safeParse(minted.data);
    if (!parsed.success) throw new GitHubError(createGitHubFailure("malformed", "an answer without a token"));
    this.#current = { token: parsed.data.token, freshUntilMs: clock.monotonicMs() + MAX_AGE_MS };
    return this.#current;
  }
}

const withToken = (call: EndpointOptions, { token }: InstallationToken): EndpointOptions => ({
  ...call,
  headers: { ...call.headers, authorization: `token ${token}` },
});

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof Error && "status" in error && error.status === status;
