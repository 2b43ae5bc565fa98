import { setTimeout as sleep } from "node:timers/promises";
import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/rest";
import { type Dispatcher, fetch as undiciFetch } from "undici";
import { createGitHubApp } from "../../github/app.ts";
import { resolveGitHubApiUrl } from "../../github/client/guarded-fetch.ts";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import { createOctokit, type OctokitSettings } from "../../github/client/octokit.ts";
import { failed, type GitHubResult, succeeded } from "../../github/client/result.ts";
import { type InstalledRepository, listRepositories } from "../../github/head/installation-repositories.ts";
import {
  type ConsentedInstallation,
  listConsentedInstallations,
  type RegisteredIdentity,
  readRegisteredApp,
} from "../../github/inspection/read-app.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { PerformTask } from "../../policy/task.ts";
import type { InspectedSettings } from "../../settings/read.ts";
import type { GitHubCredentials } from "../../settings/settings.ts";

/** What all probes read from; each read of GitHub that several probes need is made once. */
export interface DoctorContext {
  readonly inspected: InspectedSettings;
  /** `OWNER/NAME` whose gate is examined; null: none. */
  readonly repository: string | null;
  readonly clock: Clock;
  /** Performs what concerns policies. */
  readonly perform: PerformTask;
  /** Null: the settings have no usable credentials of a GitHub App. */
  readonly github: DoctorGitHub | null;
}

/** An installed repository with the client of its installation. */
export interface CoveredRepository extends InstalledRepository {
  readonly octokit: Octokit;
  readonly installation: ConsentedInstallation;
}

export interface DoctorGitHub {
  readonly appId: number;
  readonly octokit: Octokit;
  /** Settings of calls that are not made as the App. */
  readonly calls: OctokitSettings;
  app(): Promise<GitHubResult<RegisteredIdentity>>;
  /** Without those that are suspended. */
  installations(): Promise<GitHubResult<readonly ConsentedInstallation[]>>;
  allInstallations(): Promise<GitHubResult<readonly ConsentedInstallation[]>>;
  /** Every repository that the App covers; archived ones are left out. */
  repositories(): Promise<GitHubResult<readonly CoveredRepository[]>>;
  client(installationId: number): InstallationClient;
}

export interface DoctorGitHubOptions {
  readonly credentials: GitHubCredentials;
  readonly githubUrl: string | null;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

/** Connects to GitHub as the App, for reads only. */
export function connectDoctor(options: DoctorGitHubOptions): DoctorGitHub {
  const { appId, privateKey } = options.credentials;
  const { dispatcher, clock, githubUrl } = options;
  const calls = {
    apiUrl: resolveGitHubApiUrl(githubUrl),
    fetch: (url: string, init: object) => undiciFetch(url, { ...init, dispatcher }),
    clock,
    wait: (ms: number) => sleep(ms),
  };
  const octokit = createOctokit(calls, { authStrategy: createAppAuth, auth: { appId, privateKey } });
  const client = createGitHubApp({ ...calls, appId, privateKey }).installation;
  const allInstallations = readOnce(() => listConsentedInstallations(octokit));
  const installations = readOnce(async () => {
    const listed = await allInstallations();
    return listed.ok ? succeeded(listed.value.filter(({ isSuspended }) => !isSuspended)) : listed;
  });
  return {
    appId,
    octokit,
    calls,
    app: readOnce(() => readRegisteredApp(octokit)),
    installations,
    allInstallations,
    repositories: readOnce(async () => {
      const listed = await installations();
      return listed.ok ? listCovered(listed.value, client) : listed;
    }),
    client,
  };
}

async function listCovered(
  installations: readonly ConsentedInstallation[],
  client: DoctorGitHub["client"],
): Promise<GitHubResult<readonly CoveredRepository[]>> {
  const covered: CoveredRepository[] = [];
  for (const installation of installations) {
    const { octokit } = client(installation.id);
    const repositories = await listRepositories(client(installation.id));
    if (!repositories.ok)
      return failed(repositories.failure.kind, `${installation.account}: ${repositories.failure.message}`);
    const active = repositories.value.filter(({ archived }) => !archived);
    covered.push(...active.map((repository) => ({ ...repository, octokit, installation })));
  }
  return succeeded(covered);
}

/** Simultaneous and later callers share one read. */
function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null;
  return () => {
    pending ??= read();
    return pending;
  };
}
