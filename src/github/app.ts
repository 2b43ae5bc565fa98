import type { Logger } from "pino";
import { Probot, ProbotOctokit } from "probot";
import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { type GitHubResult, succeeded } from "./client/answer.ts";
import { apiAddresses } from "./client/api-addresses.ts";
import { createGuardedFetch, type Fetch } from "./client/guarded-fetch.ts";
import { AppInstallation } from "./client/installation.ts";
import type {
  AppIdentity,
  InstallationClient,
  RepositorySelection,
  RestCall,
} from "./client/installation-client.ts";
import { type Octokit, type Sender, send } from "./client/send.ts";

export interface GitHubAppOptions {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** Where REST is answered: see `githubApiUrl`; for a sandbox its loopback address with or without `/api/v3`. */
  readonly apiUrl: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  /** Between the starts of two writes of one installation, in milliseconds; github.com asks for 1,000. */
  readonly writeSpacingMs?: number;
  readonly log: Logger;
  /** For one call, in milliseconds; at most and by default 10,000. */
  readonly timeoutMs?: number;
}

export interface InstallationFacts {
  readonly id: number;
  readonly accountId: number;
  readonly account: string;
  readonly accountType: string;
  readonly selection: RepositorySelection;
  readonly suspended: boolean;
}

/** The App's access to GitHub. */
export interface GitHubApp {
  readonly appId: number;
  identity(): Promise<GitHubResult<AppIdentity>>;
  /** The client of an installation: always the same one, so that its writes share one lane. */
  installation(installationId: number): InstallationClient;
  /** All installations; an installation that was removed is not among them. */
  installations(): Promise<GitHubResult<readonly InstallationFacts[]>>;
  /** Clears the cache of an installation that was changed, suspended or removed. */
  forget(installationId: number): void;
}

const TIMEOUT_MS = 10_000;
const WRITE_SPACING_MS = 1_000;
/** A page of 100 comments of GitHub's largest size still fits. */
const MAX_BYTES = 32 * 1024 * 1024;
const PER_PAGE = 100;
const MAX_PAGES = 200;

const App = z.object({ id: z.int().positive(), slug: z.string().min(1) });

const Installation = z.object({
  id: z.int().positive(),
  account: z.object({
    id: z.int(),
    login: z.string().optional(),
    slug: z.string().optional(),
    type: z.string().optional(),
  }),
  repository_selection: z.enum(["all", "selected"]),
  suspended_at: z.string().nullish(),
});

// Probot's own throttle counts every GraphQL read as a write and its retry repeats writes: both are replaced by client/.
const QuietOctokit = ProbotOctokit.defaults((options: object) => ({
  ...options,
  throttle: { enabled: false },
  retry: { enabled: false },
}));

/** The App's access to GitHub: Probot signs for the App, one client per installation does the work. Makes no request yet. */
export function createGitHubApp(options: GitHubAppOptions): GitHubApp {
  const { appId, clock, wait, writeSpacingMs = WRITE_SPACING_MS } = options;
  const { baseUrl, graphqlUrl, origin } = apiAddresses(options.apiUrl);
  const timeoutMs = Math.min(options.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS);
  const fetch = createGuardedFetch({ fetch: options.fetch, origin, timeoutMs, maxBytes: MAX_BYTES });
  const shared = { baseUrl, request: { fetch }, log: options.log };
  const { privateKey, webhookSecret: secret } = options;
  const probot = new Probot({ appId, privateKey, secret, Octokit: QuietOctokit, ...shared });
  const sender: Sender = { clock, octokit: new QuietOctokit(shared) as Octokit };
  const asApp = async <T>(call: RestCall<T>): Promise<GitHubResult<T>> =>
    send({ clock, octokit: await probot.auth() }, call, null);

  const identity = remembered(() => readIdentity(asApp));
  const slug = async (): Promise<GitHubResult<string>> => {
    const app = await identity();
    return app.ok ? succeeded(app.value.slug) : app;
  };
  const clients = new Map<number, AppInstallation>();
  return {
    appId,
    identity,
    installation(installationId) {
      const known = clients.get(installationId);
      if (known !== undefined) return known;
      const parts = { installationId, appId, graphqlUrl, sender, asApp, slug, clock, wait, writeSpacingMs };
      const client = new AppInstallation(parts);
      clients.set(installationId, client);
      return client;
    },
    installations: () => readInstallations(asApp),
    forget: (installationId) => clients.get(installationId)?.forget(),
  };
}

type AsApp = <T>(call: RestCall<T>) => Promise<GitHubResult<T>>;

async function readIdentity(asApp: AsApp): Promise<GitHubResult<AppIdentity>> {
  const answer = await asApp({ route: "GET /app", parameters: {}, answer: App });
  return answer.ok ? succeeded({ appId: answer.value.id, slug: answer.value.slug }) : answer;
}

async function readInstallations(asApp: AsApp): Promise<GitHubResult<readonly InstallationFacts[]>> {
  const found: InstallationFacts[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const parameters = { per_page: PER_PAGE, page };
    const answer = await asApp({
      route: "GET /app/installations",
      parameters,
      answer: z.array(Installation),
    });
    if (!answer.ok) return answer;
    found.push(...answer.value.map(installationFacts));
    if (answer.value.length < PER_PAGE) break;
  }
  return succeeded(found);
}

const installationFacts = (raw: z.infer<typeof Installation>): InstallationFacts => ({
  id: raw.id,
  accountId: raw.account.id,
  account: raw.account.login ?? raw.account.slug ?? String(raw.account.id),
  accountType: raw.account.type ?? "Organization",
  selection: raw.repository_selection,
  suspended: typeof raw.suspended_at === "string",
});

/** Caches the first success; simultaneous callers share one request. */
function remembered<T>(ask: () => Promise<GitHubResult<T>>): () => Promise<GitHubResult<T>> {
  let pending: Promise<GitHubResult<T>> | null = null;
  return async () => {
    pending ??= ask();
    const mine = pending;
    const answer = await mine;
    if (!answer.ok && pending === mine) pending = null;
    return answer;
  };
}
