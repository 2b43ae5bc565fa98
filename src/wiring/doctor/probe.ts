import { setTimeout as sleep } from "node:timers/promises";
import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/rest";
import { type Dispatcher, fetch as undiciFetch } from "undici";
import { createGitHubApp } from "../../github/app.ts";
import { resolveGitHubApiUrl } from "../../github/client/guarded-fetch.ts";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import { createOctokit } from "../../github/client/octokit.ts";
import { toResult } from "../../github/client/read-answer.ts";
import { createGitHubFailure, GitHubError, type GitHubFailure } from "../../github/client/result.ts";
import { type InstalledRepository, listRepositories } from "../../github/head/installation-repositories.ts";
import {
  type ConsentedInstallation,
  listConsentedInstallations,
  readRegisteredApp,
} from "../../github/inspection/read-app.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { TollgateError } from "../../kernel/errors.ts";
import { readOnce } from "../../kernel/read-once.ts";
import type { PerformTask } from "../../policy/task.ts";
import type { GitHubCredentials, InspectedSettings } from "../../settings/read.ts";
import type { ExaminedName } from "../operator-names.ts";

export interface ProbeProblem {
  readonly found: string;
  readonly fix: string;
}

/** What a probe found. `skipped`: it needs something that is missing, which another probe reports. */
export type ProbeResult =
  | { readonly state: "ok"; readonly found: string }
  | {
      readonly state: "warning" | "failed";
      readonly problems: readonly [ProbeProblem, ...ProbeProblem[]];
    }
  | { readonly state: "skipped"; readonly reason: string };

export const AREAS = ["Settings", "Storage", "GitHub", "Platform", "Policies"] as const;

/** One line of the doctor. */
export interface Probe {
  /** Stable name in the JSON output. */
  readonly id: string;
  readonly area: (typeof AREAS)[number];
  readonly title: string;
  /** Reads, and changes nothing. */
  readonly examine: (context: DoctorContext) => Promise<ProbeResult>;
}

/** The lines of an area, each with its id, its title and what examines it. */
export const listProbes = (
  area: Probe["area"],
  rows: Readonly<Record<string, readonly [title: string, examine: Probe["examine"]]>>,
): readonly Probe[] => Object.entries(rows).map(([id, [title, examine]]) => ({ id, area, title, examine }));

export const ok = (found: string): ProbeResult => ({ state: "ok", found });
export const skip = (reason: string): ProbeResult => ({ state: "skipped", reason });
export const fail = (found: string, fix: string): ProbeResult => ({
  state: "failed",
  problems: [{ found, fix }],
});
export const warn = (found: string, fix: string): ProbeResult => ({
  state: "warning",
  problems: [{ found, fix }],
});

/** The result for a list of problems, false being none; without any, `found` says what is all right. */
export function toResultOf(
  problems: readonly (ProbeProblem | false)[],
  found: string,
  state: "warning" | "failed" = "failed",
): ProbeResult {
  const [first, ...others] = problems.filter((problem) => problem !== false);
  return first === undefined ? ok(found) : { state, problems: [first, ...others] };
}

/** A failed start's error as a result. */
export const failWith = ({ message, hint }: TollgateError): ProbeResult =>
  fail(message, hint ?? "The log says more.");

const FIXES: Partial<Readonly<Record<GitHubFailure["kind"], string>>> = {
  forbidden: "Accept the App's permissions on its page at GitHub; docs/permissions.md lists them.",
  not_found: "Install the App on it, or correct the name.",
  rate_limited: "Wait until GitHub's rate limit is over, and run the command again.",
  suspended: "Unsuspend the installation on its page at GitHub.",
  unavailable: "Check the network, proxy and GHE_HOST, and https://www.githubstatus.com for github.com.",
  timed_out: "Check the network, proxy and GHE_HOST, and https://www.githubstatus.com for github.com.",
};

/** What a failed call to GitHub means for an operator. */
export const explainGitHubFailure = (
  what: string,
  { kind, status, message }: GitHubFailure,
): ProbeProblem => ({
  found: `${what} cannot be read: ${status === null ? "" : `${status} `}${message || kind}`,
  fix: FIXES[kind] ?? "Run the command again; if it stays so, report it with this line.",
});

/** `1 repository`, `2 repositories`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** What all probes read from; each read of GitHub that several probes need is made once. */
export interface DoctorContext {
  readonly inspected: InspectedSettings;
  /** `OWNER/NAME` whose gate is examined; null: none. */
  readonly repository: string | null;
  readonly clock: Clock;
  readonly perform: PerformTask;
  /** Null: the settings have no usable credentials of a GitHub App. */
  readonly github: DoctorGitHub | null;
  /** The names in the operator's file. */
  readonly names: readonly ExaminedName[];
}

/** An installed repository with the client of its installation. */
export interface CoveredRepository extends InstalledRepository {
  readonly octokit: Octokit;
  readonly installation: ConsentedInstallation;
}

export type DoctorGitHub = ReturnType<typeof connectDoctor>;

interface DoctorGitHubOptions {
  readonly credentials: GitHubCredentials;
  readonly githubUrl: string | null;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

/** Connects to GitHub as the App, for reads only. */
export function connectDoctor(options: DoctorGitHubOptions) {
  const { appId, privateKey } = options.credentials;
  const { dispatcher, clock, githubUrl } = options;
  const calls = {
    apiUrl: resolveGitHubApiUrl(githubUrl),
    fetch: (url: string, init: object) => undiciFetch(url, { ...init, dispatcher }),
    clock,
    wait: (ms: number) => sleep(ms),
  };
  const octokit = createOctokit(calls, { authStrategy: createAppAuth, auth: { appId, privateKey } });
  const githubApp = createGitHubApp({ ...calls, appId, privateKey });
  const client = githubApp.installation;
  const allInstallations = readOnce(() => listConsentedInstallations(octokit));
  const installations = readOnce(async () =>
    (await allInstallations()).filter(({ isSuspended }) => !isSuspended),
  );
  return {
    appId,
    octokit,
    /** Settings of calls that are not made as the App. */
    calls,
    app: readOnce(() => readRegisteredApp(octokit)),
    /** Without those that are suspended. */
    installations,
    allInstallations,
    /** Every repository that the App covers; archived ones are left out. */
    repositories: readOnce(async () => listCovered(await installations(), client)),
    client,
    githubApp,
  };
}

async function listCovered(
  installations: readonly ConsentedInstallation[],
  getClient: (installationId: number) => InstallationClient,
): Promise<readonly CoveredRepository[]> {
  const covered: CoveredRepository[] = [];
  for (const installation of installations) {
    const client = getClient(installation.id);
    const repositories = await toResult(listRepositories(client));
    if (!repositories.ok) {
      const { kind, message } = repositories.failure;
      throw new GitHubError(createGitHubFailure(kind, `${installation.account}: ${message}`));
    }
    const active = repositories.value.filter(({ archived }) => !archived);
    covered.push(...active.map((repository) => ({ ...repository, octokit: client.octokit, installation })));
  }
  return covered;
}
