import { Octokit } from "@octokit/rest";
import type { Logger } from "pino";
import { createGuardedFetch, type Fetch } from "./guarded-fetch.ts";
import { type PaceOptions, paceRequests } from "./pace-requests.ts";

export interface OctokitSettings extends PaceOptions {
  /** Where REST is answered: see `resolveGitHubApiUrl`; for a sandbox its loopback address with or without `/api/v3`. */
  readonly apiUrl: string;
  readonly fetch: Fetch;
  /** Absent: nothing is logged. */
  readonly log?: Logger;
  /** For one call, in milliseconds; at most and by default 10,000. */
  readonly timeoutMs?: number;
}

/** An authentication strategy of Octokit with its options; without one, calls are anonymous. */
export interface Authentication {
  readonly authStrategy?: object;
  readonly auth?: object | string;
}

const TIMEOUT_MS = 10_000;
/** A page of 100 comments of GitHub's largest size still fits. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Makes an Octokit: the only way in which GitHub's API is called. Each has a write lane and a rate limit pause of its own, and its
 * requests keep to GitHub's origin, to a time and to a size.
 */
export function createOctokit(settings: OctokitSettings, authentication: Authentication = {}): Octokit {
  const { origin, pathname } = new URL(settings.apiUrl);
  const timeoutMs = Math.min(settings.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS);
  const fetch = createGuardedFetch({ fetch: settings.fetch, origin, timeoutMs, maxBytes: MAX_BYTES });
  const log = requestLog(settings.log);
  const octokit = new Octokit({
    ...authentication,
    baseUrl: `${origin}${pathname.replace(/\/+$/, "")}`,
    request: { fetch, log },
    log,
  });
  paceRequests(octokit, settings);
  return octokit;
}

/** Octokit logs each request and its options: method, path and status are for `debug`, and nothing else is logged. */
function requestLog(log: Logger | undefined) {
  const debug = (message: string): void => log?.debug(message);
  return { debug: () => {}, info: debug, warn: (message: string) => log?.warn(message), error: debug };
}
