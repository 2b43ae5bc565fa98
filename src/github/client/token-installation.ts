import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { readGraphql } from "./graphql.ts";
import type { InstallationClient } from "./installation-client.ts";
import { createOctokit, type OctokitSettings } from "./octokit.ts";
import { readData, toResult } from "./read-answer.ts";
import { createGitHubFailure, GitHubError } from "./result.ts";

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

/** There is one installation, and nobody states its id. */
const ONLY_INSTALLATION = 1;

/** Asks GitHub whose token it is, and returns the client of its installation. Throws `GitHubError`. */
export async function connectByToken(token: string, settings: OctokitSettings): Promise<TokenConnection> {
  const octokit = createOctokit(settings, { auth: token });
  const denied = watchDeniedPermissions(octokit);
  const { data } = await readGraphql(octokit.graphql(VIEWER_QUERY), Viewer);
  const { login, databaseId } = data.viewer;
  const [, slug] = /^(.+)\[bot\]$/.exec(login) ?? [];
  if (slug === undefined) return { state: "person", login };
  const app = await toResult(readData(octokit.rest.apps.getBySlug({ app_slug: slug }), App));
  if (!app.ok) {
    const { kind, status } = app.failure;
    throw new GitHubError(createGitHubFailure(kind, `GitHub does not show the App ${slug}`, status));
  }
  const client: TokenInstallation = {
    installationId: ONLY_INSTALLATION,
    appId: app.value.id,
    octokit,
    marksComments: true,
    denied,
    // A token may cover less than its installation, and cannot tell.
    repositorySelection: async () => "selected",
    botUserId: async () => databaseId,
  };
  return { state: "connected", client };
}

/** A permission that a token lacks, as workflow files write it: `checks: write`. */
export type DeniedPermission = string;

const Refused = z.object({
  status: z.literal(403),
  response: z.object({ headers: z.object({ "x-accepted-github-permissions": z.string().min(1) }) }),
});
const GraphqlRefused = z.object({
  errors: z.array(
    z.object({ type: z.literal("FORBIDDEN"), path: z.array(z.union([z.string(), z.number()])) }),
  ),
});

/**
 * Collects the permissions for which GitHub refuses the requests of an Octokit. GitHub names them in a header of REST answers;
 * GraphQL names the field that it refuses.
 */
function watchDeniedPermissions(octokit: Octokit): ReadonlySet<DeniedPermission> {
  const denied = new Set<DeniedPermission>();
  octokit.hook.error("request", (error) => {
    const original = error instanceof GitHubError ? error.getOriginal() : null;
    const refused = [error, original].map((one) => Refused.safeParse(one)).find(({ success }) => success);
    const accepted = refused?.data?.response.headers["x-accepted-github-permissions"];
    if (accepted !== undefined) denied.add(formatAccepted(accepted));
    throw error;
  });
  octokit.hook.after("request", ({ data }) => {
    const refused = GraphqlRefused.safeParse(data);
    if (refused.success) for (const { path } of refused.data.errors) denied.add(formatField(path));
  });
  return denied;
}

/** `issues=write; pull_requests=write`: one of these alternatives. The last one concerns pull requests, where there is a choice. */
function formatAccepted(accepted: string): DeniedPermission {
  const [permissions = ""] = accepted.split(";").toReversed();
  return permissions
    .split(",")
    .map((one) => one.trim().replaceAll("_", "-").replace("=", ": "))
    .join(", ");
}

/** The permission of a field of our queries. Files and commits need `contents`; the rest of a pull request is its own. */
function formatField(path: readonly (string | number)[]): DeniedPermission {
  if (path.includes("mergeQueue")) return "merge-queues: read";
  return path.some((part) => CONTENT_FIELDS.has(String(part))) ? "contents: read" : "pull-requests: write";
}

const CONTENT_FIELDS: ReadonlySet<string> = new Set([
  "baseRef",
  "commits",
  "policy",
  "folder",
  "defaultBranchRef",
  "history",
  "files",
]);
