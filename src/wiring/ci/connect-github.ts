import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { resolveGitHubApiUrl, resolveGitHubPagesUrl } from "../../github/client/api-addresses.ts";
import type { GitHubFailure } from "../../github/client/result.ts";
import { connectByToken, type TokenInstallation } from "../../github/client/token-installation.ts";
import type { Clock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { CiSettings } from "../../settings/ci.ts";
import { openGitHubPool } from "../github.ts";

/** GitHub by the token of a CI job. */
export interface JobGitHub {
  readonly client: TokenInstallation;
  /** Root URL of GitHub's pages, without a slash at the end. */
  readonly pages: string;
  close(): Promise<void>;
}

/**
 * Connects to GitHub by the job's token.
 *
 * @throws TollgateError `usage` without a usable token, `github_failed`
 */
export async function connectJobGitHub(
  { settings, apiUrl, pagesUrl, token }: CiSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<JobGitHub> {
  if (token === null)
    throw new TollgateError("usage", "there is no token for GitHub", {
      hint: "Set GITHUB_TOKEN: in a workflow to github.token, elsewhere to a token of a GitHub App.",
    });
  const pool = openGitHubPool();
  try {
    const connected = await connectByToken(token, {
      apiUrl: apiUrl ?? resolveGitHubApiUrl(settings.githubUrl),
      fetch: pool.fetch,
      clock,
      wait: (ms) => sleep(ms),
      writeSpacingMs: settings.githubWriteSpacingMs,
      log,
    });
    if (!connected.ok) throw createConnectError(connected.failure);
    if (connected.value.state === "person") throw createPersonError(connected.value.login);
    const pages = pagesUrl ?? resolveGitHubPagesUrl(settings.githubUrl);
    return { client: connected.value.client, pages, close: pool.close };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

const createConnectError = ({ kind, message }: GitHubFailure): TollgateError =>
  kind === "unauthorised"
    ? new TollgateError("github_failed", "GitHub does not accept the token: it is wrong, or it has expired", {
        hint: "GITHUB_TOKEN of a workflow ends with its job. Use the token of this job.",
      })
    : new TollgateError("github_failed", `GitHub did not say whose token this is: ${kind}, ${message}`, {
        retryable: true,
      });

const createPersonError = (login: string): TollgateError =>
  new TollgateError("usage", `the token belongs to ${login}, and GitHub lets only Apps write checks`, {
    hint: "Use github.token in a workflow; elsewhere a token of a GitHub App of yours that may write checks and pull requests.",
  });
