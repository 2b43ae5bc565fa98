import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { Agent, fetch as undiciFetch } from "undici";
import { createGitHubApp, type GitHubApp } from "../github/app.ts";
import { resolveGitHubApiUrl } from "../github/client/api-addresses.ts";
import type { GitHubCall } from "../github/client/github-call.ts";
import type { Fetch } from "../github/client/guarded-fetch.ts";
import { type CredentialCheck, createCredentialCheck } from "../github/credential-check.ts";
import type { Clock } from "../kernel/clock.ts";
import type { GitHubCredentials } from "../settings/settings.ts";

export interface ConnectedGitHub {
  readonly app: GitHubApp;
  readonly credentials: CredentialCheck;
  close(): Promise<void>;
}

export interface GitHubOptions {
  readonly githubUrl: string | null;
  readonly writeSpacingMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onCall: (call: GitHubCall) => void;
}

/** Time limit for a new connection to GitHub, in ms. */
const CONNECT_MS = 5_000;

/** A separate connection pool to GitHub. */
export function openGitHubPool(): { readonly fetch: Fetch; close(): Promise<void> } {
  const dispatcher = new Agent({
    connections: 32,
    connect: { timeout: CONNECT_MS },
    keepAliveTimeout: 30_000,
  });
  return {
    fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }),
    close: () => dispatcher.close(),
  };
}

/** Connects to GitHub as the App. */
export function connectGitHub(
  { appId, privateKey }: GitHubCredentials,
  { githubUrl, writeSpacingMs, clock, log, onCall }: GitHubOptions,
): ConnectedGitHub {
  const { fetch, close } = openGitHubPool();
  const app = createGitHubApp({
    appId,
    privateKey,
    apiUrl: resolveGitHubApiUrl(githubUrl),
    fetch,
    clock,
    wait: (ms) => sleep(ms),
    writeSpacingMs,
    log,
    onCall,
  });
  const credentials = createCredentialCheck(app, { clock, log });
  return { app, credentials, close };
}
