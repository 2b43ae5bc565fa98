import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/rest";
import type { EndpointOptions, OctokitResponse, RequestInterface } from "@octokit/types";
import { z } from "zod";
import { type Clock, MINUTE_MS } from "../../kernel/clock.ts";
import { shareRunning } from "../../kernel/read-once.ts";
import { createGitHubFailure, GitHubError, SupersededError } from "./result.ts";
import type { SharedValue } from "./shared-installation.ts";

/** New tokens have about 520 characters, old ones 40; neither form is relied on. */
const Minted = z.object({ token: z.string().min(1).max(4096) });
/** GitHub's tokens live for one hour. Clocks differ, so its stated end is not relied on. */
export const TOKEN_AGE_MS = 55 * MINUTE_MS;

const MINT = "POST /app/installations/{installation_id}/access_tokens";

/** Never logged: lives in this object, in the header of a request and, encrypted, where processes share it. */
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
  /** The token that another process has; null: there are no others. */
  readonly shared: SharedValue<string> | null;
}

/**
 * Octokit's authentication as an installation. `@octokit/auth-app` mints the token. It is held here, because auth-app measures its
 * age by the machine's clock, which can be set back, and repeats a call for seconds with a token that GitHub rejects.
 */
export function createInstallationAuth(options: InstallationAuthOptions) {
  const { clock, shared } = options;
  let log: Octokit["log"] | null = null;
  let current: InstallationToken | null = null;
  /** The newest token that GitHub rejected: it is not taken from other processes again. */
  let rejected: string | null = null;

  /** A 401 proves that nothing happened, so one attempt with a new token is safe for writes too. */
  async function authenticate(
    request: RequestInterface,
    call: EndpointOptions,
  ): Promise<OctokitResponse<unknown>> {
    const held = findFresh();
    const first = held ?? (await obtainOnce(request));
    if (held === null) await refuseSuperseded(call);
    try {
      return await request(withToken(call, first));
    } catch (error) {
      if (!hasStatus(error, 401)) throw error;
      rejected = first.token;
      if (current === first) current = null; // unless another call has already replaced it
      const second = findFresh() ?? (await obtainOnce(request));
      await refuseSuperseded(call);
      return request(withToken(call, second));
    }
  }

  const findFresh = (): InstallationToken | null =>
    current !== null && clock.monotonicMs() < current.freshUntilMs ? current : null;

  const obtainOnce = shareRunning(async (request: RequestInterface): Promise<InstallationToken> => {
    const askedMs = clock.monotonicMs();
    const known = await shared?.find();
    const isKnown = known !== undefined && known.value !== null && known.value !== rejected;
    const [token, ageMs] = isKnown ? [known.value, known.ageMs] : [await mint(request, options, log), 0];
    current = { token, freshUntilMs: askedMs + TOKEN_AGE_MS - ageMs };
    if (known !== undefined && !isKnown) await shared?.save(token, known.askedAt);
    return current;
  });

  return {
    /** For Octokit's option `authStrategy`. */
    strategy: (octokit: Pick<Octokit, "log">) => {
      log = octokit.log;
      return { hook: authenticate };
    },
    forget: (): void => {
      current = null;
    },
  };
}

async function mint(
  request: RequestInterface,
  { appId, privateKey, installationId }: InstallationAuthOptions,
  log: Octokit["log"] | null,
): Promise<string> {
  const { hook } = createAppAuth({ appId, privateKey, ...(log !== null && { log }) });
  // Unlike `auth({ type: "installation" })`, the hook tries again with GitHub's time where the machine's clock differs from it.
  const minted = await hook(request, MINT, { installation_id: installationId }).catch((error: unknown) => {
    if (!hasStatus(error, 404)) throw error;
    throw new GitHubError(createGitHubFailure("suspended", "installation is gone", 404), error);
  });
  const parsed = Minted.safeParse(minted.data);
  if (!parsed.success) throw new GitHubError(createGitHubFailure("malformed", "an answer without a token"));
  return parsed.data.token;
}

/** A write may have been superseded while it waited for a token or for the answer to another one: it asks again, and is dropped. */
async function refuseSuperseded({ request }: EndpointOptions): Promise<void> {
  if ((await request?.write?.isCurrent()) === false)
    throw new SupersededError("a newer evaluation took its place while an access token was obtained");
}

const withToken = (call: EndpointOptions, { token }: InstallationToken): EndpointOptions => ({
  ...call,
  headers: { ...call.headers, authorization: `token ${token}` },
});

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof Error && "status" in error && error.status === status;
