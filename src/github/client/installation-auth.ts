import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/rest";
import type { EndpointOptions, OctokitResponse, RequestInterface } from "@octokit/types";
import { z } from "zod";
import { type Clock, MINUTE_MS } from "../../kernel/clock.ts";
import type { RepositorySelection } from "./installation-client.ts";
import { createGitHubFailure, GitHubError, SupersededError } from "./result.ts";

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
export class InstallationAuth {
  readonly #options: InstallationAuthOptions;
  #log: Octokit["log"] | null = null;
  #current: InstallationToken | null = null;
  #pending: Promise<InstallationToken> | null = null;
  /** The newest token that GitHub rejected: it is not taken from other processes again. */
  #rejected: string | null = null;

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
    const held = this.#findFresh();
    const first = held ?? (await this.#obtainOnce(request));
    if (held === null) await refuseSuperseded(call);
    try {
      return await request(withToken(call, first));
    } catch (error) {
      if (!hasStatus(error, 401)) throw error;
      this.#rejected = first.token;
      if (this.#current === first) this.#current = null; // unless another call has already replaced it
      const second = this.#findFresh() ?? (await this.#obtainOnce(request));
      await refuseSuperseded(call);
      return request(withToken(call, second));
    }
  };

  #findFresh(): InstallationToken | null {
    const current = this.#current;
    return current !== null && this.#options.clock.monotonicMs() < current.freshUntilMs ? current : null;
  }

  /** One request for all waiting calls. */
  #obtainOnce(request: RequestInterface): Promise<InstallationToken> {
    this.#pending ??= this.#obtain(request).finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async #obtain(request: RequestInterface): Promise<InstallationToken> {
    const { clock, shared } = this.#options;
    const askedMs = clock.monotonicMs();
    const known = await shared?.find();
    const isKnown = known !== undefined && known.value !== null && known.value !== this.#rejected;
    const [token, ageMs] = isKnown ? [known.value, known.ageMs] : [await this.#mint(request), 0];
    this.#current = { token, freshUntilMs: askedMs + TOKEN_AGE_MS - ageMs };
    if (known !== undefined && !isKnown) await shared?.save(token, known.askedAt);
    return this.#current;
  }

  async #mint(request: RequestInterface): Promise<string> {
    const { appId, privateKey, installationId } = this.#options;
    const { hook } = createAppAuth({ appId, privateKey, ...(this.#log !== null && { log: this.#log }) });
    // Unlike `auth({ type: "installation" })`, the hook tries again with GitHub's time where the machine's clock differs from it.
    const minted = await hook(request, MINT, { installation_id: installationId }).catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error;
      throw new GitHubError(createGitHubFailure("suspended", "installation is gone", 404), error);
    });
    const parsed = Minted.safeParse(minted.data);
    if (!parsed.success) throw new GitHubError(createGitHubFailure("malformed", "an answer without a token"));
    return parsed.data.token;
  }
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

/** A permission that a token lacks, as workflow files write it: `checks: write`. */
export type DeniedPermission = string;

const Refused = z.object({
  status: z.literal(403),
  response: z.object({ headers: z.object({ "x-accepted-github-permissions": z.string().min(1) }) }),
});
const GraphqlRefused = z.object({
  errors: z.array(
    z.object({ type: z.literal("FORBIDDEN"), path: z.array(z.union([z.string(), z.number()])) }),
  ),
});

/**
 * Collects the permissions for which GitHub refuses the requests of an Octokit. GitHub names them in a header of REST answers;
 * GraphQL names the field that it refuses.
 */
export function watchDeniedPermissions(octokit: Octokit): ReadonlySet<DeniedPermission> {
  const denied = new Set<DeniedPermission>();
  octokit.hook.error("request", (error) => {
    const original = error instanceof GitHubError ? error.getOriginal() : null;
    const refused = [error, original].map((one) => Refused.safeParse(one)).find(({ success }) => success);
    const accepted = refused?.data?.response.headers["x-accepted-github-permissions"];
    if (accepted !== undefined) denied.add(formatAccepted(accepted));
    throw error;
  });
  octokit.hook.after("request", ({ data }) => {
    const refused = GraphqlRefused.safeParse(data);
    if (refused.success) for (const { path } of refused.data.errors) denied.add(formatField(path));
  });
  return denied;
}

/** `issues=write; pull_requests=write`: one of these alternatives. The last one concerns pull requests, where there is a choice. */
function formatAccepted(accepted: string): DeniedPermission {
  const [permissions = ""] = accepted.split(";").toReversed();
  return permissions
    .split(",")
    .map((one) => one.trim().replaceAll("_", "-").replace("=", ": "))
    .join(", ");
}

/** The permission of a field of our queries. Files and commits need `contents`; the rest of a pull request is its own. */
const formatField = (path: readonly (string | number)[]): DeniedPermission =>
  path.some((part) => CONTENT_FIELDS.has(String(part))) ? "contents: read" : "pull-requests: write";

const CONTENT_FIELDS: ReadonlySet<string> = new Set([
  "baseRef",
  "commits",
  "policy",
  "folder",
  "defaultBranchRef",
  "history",
  "files",
]);

/** When the next write may start. */
interface WriteStart {
  /** False: another write has the next start; ask again then. */
  readonly isReserved: boolean;
  /** Until the start, in milliseconds. */
  readonly inMs: number;
}

/** What the clients of one installation in several processes agree on about writes. */
export interface WritePace {
  /**
   * Reserves a start at least `spacingMs` milliseconds after every other one. The start of an urgent write (a check) may be in the
   * future; another one is reserved only when it is free now, so that no check waits behind comments of another process. Rejects when
   * nobody can say.
   */
  reserve(spacingMs: number, isUrgent: boolean): Promise<WriteStart>;
  /** Tells the other processes that GitHub limits the installation for `ms` milliseconds; never rejects. */
  savePause(ms: number): Promise<void>;
  /** `listener` receives what `reserve` or another process says of a limit: how long it lasts, in milliseconds. */
  onPause(listener: (ms: number) => void): void;
}

/** A value that one process requests from GitHub, and that the others use. */
export interface SharedValue<T> {
  /**
   * Returns a value that a process requested after the installation's last change, and how old it is, in milliseconds; null: there is
   * none. A value that is then read from GitHub is saved with `askedAt`. Rejects when the database does not answer.
   */
  find(): Promise<{ readonly value: T | null; readonly ageMs: number; readonly askedAt: Date }>;
  /** Never rejects: without it, the next process requests it from GitHub. */
  save(value: T, askedAt: Date): Promise<void>;
}

/** What the clients of one installation in several processes know together. */
export interface SharedInstallation {
  readonly pace: WritePace;
  readonly token: SharedValue<string>;
  readonly coverage: SharedValue<RepositorySelection>;
}
