import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { createInstallationAuth } from "./client/installation-auth.ts";
import type { InstallationClient } from "./client/installation-client.ts";
import { createOctokit, type OctokitSettings } from "./client/octokit.ts";
import { readData, readPages } from "./client/read-answer.ts";
import type { GitHubCall } from "./client/result.ts";
import type { SharedInstallation } from "./client/shared-installation.ts";

export interface GitHubAppOptions extends Omit<OctokitSettings, "onCall" | "pace"> {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  readonly onCall?: (call: GitHubCall) => void;
  /** What an installation's clients in other processes know with ours; absent: there are no others. */
  readonly shared?: (installationId: number) => SharedInstallation;
}

/** Our identity on GitHub. Our own objects are recognised by these ids, never by a name or a text. */
export interface AppIdentity {
  readonly appId: number;
  readonly slug: string;
}

/** The App's access to GitHub. Reads throw `GitHubError`. */
export type GitHubApp = ReturnType<typeof createGitHubApp>;

const MAX_PAGES = 200;

const App = z.object({ id: z.int().positive(), slug: z.string().min(1) });
const BotUser = z.object({ id: z.int().positive() });
const Coverage = z.object({ repository_selection: z.enum(["all", "selected"]) });

/** The account of an installation; an enterprise has no login but a slug. */
export const InstallationAccount = z.object({
  id: z.int(),
  login: z.string().optional(),
  slug: z.string().optional(),
  type: z.string().default("Organization"),
});

const Installation = z
  .object({
    id: z.int().positive(),
    account: InstallationAccount,
    repository_selection: z.enum(["all", "selected"]),
    suspended_at: z.string().nullish(),
  })
  .transform(({ id, account, repository_selection: selection, suspended_at }) => ({
    id,
    accountId: account.id,
    account: account.login ?? account.slug ?? String(account.id),
    selection,
    suspended: typeof suspended_at === "string",
  }));
export type InstallationFacts = Readonly<z.infer<typeof Installation>>;

/** The App's access to GitHub: one Octokit for the App, one for each installation. Makes no request yet. */
export function createGitHubApp(options: GitHubAppOptions) {
  const { appId, privateKey, onCall, shared, ...settings } = options;
  const { clock } = settings;
  const measured = (installationId: number | null): OctokitSettings => ({
    ...settings,
    ...(onCall !== undefined && { onCall: (call) => onCall({ ...call, installationId }) }),
  });
  const appOctokit = createOctokit(measured(null), {
    authStrategy: createAppAuth,
    auth: { appId, privateKey },
  });
  const slug = cacheSuccess(async () => (await readIdentity(appOctokit)).slug);
  const clients = new Map<number, InstallationClient & { forget(): void }>();
  const connectInstallation = (installationId: number) => {
    const known = shared?.(installationId);
    const token = known?.token ?? null;
    const auth = createInstallationAuth({ appId, privateKey, installationId, clock, shared: token });
    const octokit = createOctokit(
      { ...measured(installationId), ...(known !== undefined && { pace: known.pace }) },
      { authStrategy: auth.strategy },
    );
    return {
      ...{ installationId, appId, octokit },
      marksComments: false,
      /** An organisation's policy that cannot be seen is absent only where everything can be seen: a wrong "all" would pass without it. */
      repositorySelection: async () => {
        const found = await known?.coverage.find();
        if (found !== undefined && found.value !== null) return found.value;
        const call = appOctokit.rest.apps.getInstallation({ installation_id: installationId });
        const { repository_selection: selection } = await readData(call, Coverage);
        if (found !== undefined) await known?.coverage.save(selection, found.askedAt);
        return selection;
      },
      botUserId: cacheSuccess(async () => {
        const username = `${await slug()}[bot]`;
        return (await readData(octokit.rest.users.getByUsername({ username }), BotUser)).id;
      }),
      /** Clears the token; a pause and waiting writes stay. */
      forget: auth.forget,
    };
  };
  return {
    appId,
    /** Asks GitHub who the App is; fails when GitHub rejects its id or its key. */
    readIdentity: () => readIdentity(appOctokit),
    /** The client of an installation: always the same one, so that its writes share one lane. */
    installation(installationId: number): InstallationClient {
      const client = clients.get(installationId) ?? connectInstallation(installationId);
      clients.set(installationId, client);
      return client;
    },
    /** All installations; an installation that was removed is not among them. */
    installations: (): Promise<readonly InstallationFacts[]> =>
      readPages((page) => appOctokit.rest.apps.listInstallations(page), z.array(Installation), MAX_PAGES),
    /** Clears the cache of an installation that was changed, suspended or removed. */
    forget: (installationId: number) => clients.get(installationId)?.forget(),
  };
}

async function readIdentity(octokit: Octokit): Promise<AppIdentity> {
  const { id: appId, slug } = await readData(octokit.rest.apps.getAuthenticated(), App);
  return { appId, slug };
}

/** Caches the first success; simultaneous callers share one request. */
function cacheSuccess<T>(request: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null;
  return () => {
    pending ??= request().catch((error: unknown) => {
      pending = null;
      throw error;
    });
    return pending;
  };
}
