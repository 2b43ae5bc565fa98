import type { Environment } from "./read.ts";

/** Where a GitHub Actions job requests its id token, and with which credential. */
export interface IdTokenRequest {
  readonly url: string;
  readonly token: string;
}

/** What the environment says to commands that call a Tollgate elsewhere. Null: not set. */
export interface ClientSettings {
  readonly url: string | null;
  readonly token: string | null;
  /** True in a CI job, where this machine's own database is never meant. */
  readonly isCi: boolean;
  readonly isGitHubJob: boolean;
  /** Null: the job may not request an id token. */
  readonly idToken: IdTokenRequest | null;
}

/** Reads `TOLLGATE_URL` and `TOLLGATE_TOKEN`, and what CI systems set. */
export function readClientSettings(environment: Environment): ClientSettings {
  const get = (name: string): string | null => environment[name] || null;
  const [url, token] = [get("ACTIONS_ID_TOKEN_REQUEST_URL"), get("ACTIONS_ID_TOKEN_REQUEST_TOKEN")];
  return {
    url: get("TOLLGATE_URL"),
    token: get("TOLLGATE_TOKEN"),
    isCi: !["false", "0", null].includes(get("CI")),
    isGitHubJob: get("GITHUB_ACTIONS") === "true",
    idToken: url === null || token === null ? null : { url, token },
  };
}
