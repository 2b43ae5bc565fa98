import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { Agent, fetch as undiciFetch } from "undici";
import { parse } from "yaml";
import { createGitHubApp } from "../github/app.ts";
import { type Fetch, resolveGitHubApiUrl } from "../github/client/guarded-fetch.ts";
import type { OctokitSettings } from "../github/client/octokit.ts";
import type { GitHubCall } from "../github/client/result.ts";
import type { SharedInstallation } from "../github/client/shared-installation.ts";
import { createCredentialCheck } from "../github/credential-check.ts";
import { AppDefinition } from "../github/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { getShippedFile } from "../package/shipped-files.ts";
import type { GitHubCredentials, Settings } from "../settings/read.ts";

export type ConnectedGitHub = ReturnType<typeof connectGitHub>;

export interface GitHubOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly onCall: (call: GitHubCall) => void;
  /** What an installation's clients in other processes know with ours. */
  readonly shared: (installationId: number) => SharedInstallation;
  /** Replaces the connections to GitHub. */
  readonly fetch?: Fetch | undefined;
}

const CONNECT_MS = 5_000;

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

export type GitHubSettings = Pick<Settings, "githubUrl" | "githubWriteSpacingMs" | "githubBatch"> & {
  readonly github: GitHubCredentials;
};

export function connectGitHub(
  { github, githubUrl, githubWriteSpacingMs: writeSpacingMs, githubBatch }: GitHubSettings,
  { clock, log, onCall, shared, fetch: replaced }: GitHubOptions,
) {
  const { appId, privateKey } = github;
  const { fetch, close } =
    replaced === undefined ? openGitHubPool() : { fetch: replaced, close: async () => {} };
  const apiUrl = resolveGitHubApiUrl(githubUrl);
  const calls = { apiUrl, fetch, clock, wait: (ms: number) => sleep(ms), log };
  const app = createGitHubApp({
    ...calls,
    appId,
    privateKey,
    writeSpacingMs,
    batchesChecks: githubBatch,
    onCall,
    shared,
  });
  const userCalls: OctokitSettings = {
    ...calls,
    writeSpacingMs: 0,
    onCall: (call) => onCall({ ...call, installationId: null }),
  };
  return {
    app,
    credentials: createCredentialCheck(app, { clock, log }),
    /** Settings of calls that are made for a person, or for nobody. */
    calls: userCalls,
    close,
  };
}

/** Returns what `app.yml` asks of GitHub for the App. */
export const readAppDefinition = (): AppDefinition =>
  AppDefinition.parse(parse(readFileSync(getShippedFile("app.yml"), "utf8")));

/** Returns the URL at which this machine reaches a server that listens on `host`. */
export const formatOwnAddress = (host: string | null, port: number): string => {
  const everywhere = host === null || host === "0.0.0.0" || host === "::";
  const name = host?.includes(":") ? `[${host}]` : host;
  return `http://${everywhere ? "127.0.0.1" : name}:${port}`;
};

/** Returns the URLs at which this machine may name its own server. */
export const listOwnUrls = ({ port }: { readonly port: number }): readonly string[] => [
  `http://127.0.0.1:${port}`,
  `http://localhost:${port}`,
];
