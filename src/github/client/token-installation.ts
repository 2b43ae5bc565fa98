import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { toGraphqlResult } from "./graphql.ts";
import { type DeniedPermission, watchDeniedPermissions } from "./installation-auth.ts";
import type { InstallationClient, RepositorySelection } from "./installation-client.ts";
import { createOctokit, type OctokitSettings } from "./octokit.ts";
import { failed, type GitHubResult, succeeded } from "./result.ts";
import { toResult } from "./to-result.ts";

/** Whose token it is. */
export const VIEWER_QUERY = "query Viewer { viewer { login databaseId } }";

const Viewer = z.object({ viewer: z.object({ login: z.string(), databaseId: z.int().positive() }) });
const App = z.object({ id: z.int().positive() });

/** The client of an installation of which only a token is known, such as `GITHUB_TOKEN`, and what the token lacks. */
export interface TokenInstallation extends InstallationClient {
  /** Permissions for which GitHub refused a request so far. */
  readonly denied: ReadonlySet<DeniedPermission>;
}

/** `person`: the token belongs to a person, and GitHub lets only Apps write checks. */
export type TokenConnection =
  | { readonly state: "connected"; readonly client: TokenInstallation }
  | { readonly state: "person"; readonly login: string };

/** Asks GitHub whose token it is, and returns the client of its installation. */
export async function connectByToken(
  token: string,
  settings: OctokitSettings,
): Promise<GitHubResult<TokenConnection>> {
  const octokit = createOctokit(settings, { auth: token });
  const denied = watchDeniedPermissions(octokit);
  const answer = await toGraphqlResult(octokit.graphql(VIEWER_QUERY), Viewer);
  if (!answer.ok) return answer;
  const { login, databaseId } = answer.value.data.viewer;
  const [, slug] = /^(.+)\[bot\]$/.exec(login) ?? [];
  if (slug === undefined) return succeeded({ state: "person", login });
  const app = await toResult(octokit.rest.apps.getBySlug({ app_slug: slug }), App);
  if (!app.ok) return failed(app.failure.kind, `GitHub does not show the App ${slug}`, app.failure.status);
  return succeeded({
    state: "connected",
    client: createClient({ octokit, denied, databaseId, appId: app.value.id }),
  });
}

interface TokenParts {
  readonly octokit: Octokit;
  readonly denied: ReadonlySet<DeniedPermission>;
  /** User id of the App's bot. */
  readonly databaseId: number;
  readonly appId: number;
}

/** There is one installation, and nobody states its id. */
const ONLY_INSTALLATION = 1;

const createClient = ({ octokit, denied, databaseId, appId }: TokenParts): TokenInstallation => ({
  installationId: ONLY_INSTALLATION,
  appId,
  octokit,
  marksComments: true,
  denied,
  // A token may cover less than its installation, and cannot tell.
  repositorySelection: async (): Promise<GitHubResult<RepositorySelection>> => succeeded("selected"),
  botUserId: async () => succeeded(databaseId),
});
