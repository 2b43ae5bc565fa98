import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";

/** Who moved the branch of a pull request, from which commit to which. */
export interface Push {
  readonly userId: number;
  /** Null: not stated. */
  readonly before: string | null;
  readonly after: string;
}

/** Where the commits of a pull request were pushed to. */
export interface PushedBranch {
  /** Null: the fork was deleted, or is not to be seen. */
  readonly headRepositoryId: number | null;
  /** Without `refs/heads/`. */
  readonly headRef: string;
}

const Activities = z.array(
  z.object({ before: z.string(), after: z.string(), actor: z.object({ id: z.int().positive() }).nullable() }),
);

/**
 * The hundred newest moves of the branch, also from before Tollgate was installed. Empty where GitHub does not say: an older server,
 * or a fork that may not be read.
 */
export async function readPushes(
  client: InstallationClient,
  { headRepositoryId, headRef }: PushedBranch,
): Promise<GitHubResult<readonly Push[]>> {
  if (headRepositoryId === null) return succeeded([]);
  const call = requestById(client.octokit, "GET /repos/{owner}/{repo}/activity", {
    repository_id: headRepositoryId,
    ref: `refs/heads/${headRef}`,
    per_page: 100,
  });
  const answer = await toResult(call, Activities);
  if (!answer.ok) return TRANSIENT_FAILURES.has(answer.failure.kind) ? answer : succeeded([]);
  const pushes = answer.value.map(({ before, after, actor }) => ({ userId: actor?.id, before, after }));
  return succeeded(
    pushes.flatMap(({ userId, ...move }) => (userId === undefined ? [] : { userId, ...move })),
  );
}

/** What may be otherwise in a moment: nobody is let through meanwhile. */
const TRANSIENT_FAILURES: ReadonlySet<string> = new Set(["rate_limited", "unavailable", "timed_out"]);
