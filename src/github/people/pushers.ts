import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/request-by-id.ts";
import { type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";

/** Where the commits of a pull request were pushed to. */
export interface PushedBranch {
  /** Null: the fork was deleted, or is not to be seen. */
  readonly headRepositoryId: number | null;
  /** Without `refs/heads/`. */
  readonly headRef: string;
  /** Full ids. */
  readonly commits: ReadonlySet<string>;
}

const Activities = z.array(
  z.object({ after: z.string(), actor: z.object({ id: z.int().positive() }).nullable() }),
);

/**
 * GitHub ids of those who put one of the commits onto the branch, also before Tollgate was installed, among the hundred newest moves of
 * the branch. Empty where GitHub does not say: an older server, or a fork that may not be read.
 */
export async function readPushers(
  client: InstallationClient,
  { headRepositoryId, headRef, commits }: PushedBranch,
): Promise<GitHubResult<readonly number[]>> {
  if (headRepositoryId === null) return succeeded([]);
  const call = requestById(client.octokit, "GET /repos/{owner}/{repo}/activity", {
    repository_id: headRepositoryId,
    ref: `refs/heads/${headRef}`,
    per_page: 100,
  });
  const answer = await toResult(call, Activities);
  if (!answer.ok) return TRANSIENT_FAILURES.has(answer.failure.kind) ? answer : succeeded([]);
  const own = answer.value.filter(({ after }) => commits.has(after));
  return succeeded([...new Set(own.flatMap(({ actor }) => actor?.id ?? []))]);
}

/** What may be otherwise in a moment: nobody is let through meanwhile. */
const TRANSIENT_FAILURES: ReadonlySet<string> = new Set(["rate_limited", "unavailable", "timed_out"]);
