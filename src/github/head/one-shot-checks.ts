import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { failed, type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";
import type { Claims } from "./claims.ts";
import type { CheckClaim } from "./head-state.ts";

/**
 * How the `external_id` of check runs by CI jobs begins. Their App is GitHub's own for Actions, under which every
 * workflow writes check runs.
 */
export const ONE_SHOT_PREFIX = "tollgate-ci:";

const Page = z.object({
  check_runs: z.array(
    z.object({
      id: z.int().positive(),
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullable(),
      details_url: z.string().nullish(),
      external_id: z.string().nullish(),
      app: z.object({ id: z.int(), slug: z.string().nullish() }).nullish(),
    }),
  ),
});

const PER_PAGE = 100;
const MAX_PAGES = 30;

/** The check runs that CI jobs of Tollgate wrote on a commit, the newest of each name, in place of all statuses and checks. */
export async function readOneShotChecks(
  client: InstallationClient,
  { repositoryId, sha }: { readonly repositoryId: number; readonly sha: string },
): Promise<GitHubResult<Claims>> {
  const checks: CheckClaim[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const call = requestById(client.octokit, "GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
      repository_id: repositoryId,
      ref: sha,
      app_id: client.appId,
      per_page: PER_PAGE,
      page,
    });
    const answer = await toResult(call, Page);
    if (!answer.ok) return answer;
    const { check_runs: runs } = answer.value;
    checks.push(...runs.filter((run) => isOneShot(run, client.appId)).map(toCheckClaim));
    if (runs.length < PER_PAGE) return succeeded({ statuses: [], checks, complete: true });
  }
  return failed("too_large", "the commit has more check runs than are read");
}

type RawRun = z.infer<typeof Page>["check_runs"][number];

/** Jobs of workflows are check runs of the same App, so the App's id alone does not identify ours. */
const isOneShot = ({ app, external_id: externalId }: RawRun, appId: number): boolean =>
  app?.id === appId && (externalId ?? "").startsWith(ONE_SHOT_PREFIX);

const STATUSES = ["completed", "in_progress", "pending", "queued", "requested", "waiting"] as const;

const toCheckClaim = (run: RawRun): CheckClaim => ({
  id: run.id,
  name: run.name,
  status: STATUSES.find((known) => known === run.status) ?? "unknown",
  conclusion: run.conclusion,
  detailsUrl: run.details_url ?? null,
  externalId: run.external_id ?? null,
  appId: run.app?.id ?? null,
  appSlug: run.app?.slug ?? null,
});
