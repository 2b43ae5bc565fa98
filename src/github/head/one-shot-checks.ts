import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { PER_PAGE, readPages } from "../client/read-answer.ts";
import { createGitHubFailure, GitHubError } from "../client/result.ts";
import { type Claims, toCheckStatus } from "./commit-claims.ts";

/**
 * How the `external_id` of check runs by CI jobs begins. Their App is GitHub's own for Actions, under which every
 * workflow writes check runs.
 */
export const ONE_SHOT_PREFIX = "tollgate-ci:";

const CheckRun = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    status: z.string().transform(toCheckStatus),
    conclusion: z.string().nullable(),
    details_url: z.string().nullish(),
    external_id: z.string().nullish(),
    app: z.object({ id: z.int(), slug: z.string().nullish() }).nullish(),
  })
  .transform(({ details_url, external_id, app, ...run }) => ({
    ...run,
    detailsUrl: details_url ?? null,
    externalId: external_id ?? null,
    appId: app?.id ?? null,
    appSlug: app?.slug ?? null,
  }));
const Page = z.object({ check_runs: z.array(CheckRun) }).transform(({ check_runs: runs }) => runs);

const MAX_PAGES = 30;

/** The check runs that CI jobs of Tollgate wrote on a commit, the newest of each name, in place of all statuses and checks. Throws `GitHubError`. */
export async function readOneShotChecks(
  { octokit, appId }: InstallationClient,
  { repositoryId, sha }: { readonly repositoryId: number; readonly sha: string },
): Promise<Claims> {
  const route = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
  const commit = { repository_id: repositoryId, ref: sha, app_id: appId };
  const runs = await readPages(
    (page) => requestById(octokit, route, { ...commit, ...page }),
    Page,
    MAX_PAGES,
  );
  if (runs.length >= PER_PAGE * MAX_PAGES)
    throw new GitHubError(createGitHubFailure("too_large", "the commit has more check runs than are read"));
  // Jobs of workflows are check runs of the same App, so the App's id alone does not identify ours.
  const checks = runs.filter((run) => run.appId === appId && run.externalId?.startsWith(ONE_SHOT_PREFIX));
  return { statuses: [], checks, complete: true };
}
