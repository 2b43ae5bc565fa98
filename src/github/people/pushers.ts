import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { readData, toResult } from "../client/read-answer.ts";
import { type FailureKind, GitHubError } from "../client/result.ts";

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
 * or a fork that may not be read. Throws `GitHubError` for what may be otherwise in a moment: nobody is let through meanwhile.
 */
export async function readPushes(
  client: InstallationClient,
  { headRepositoryId, headRef }: PushedBranch,
): Promise<readonly Push[]> {
  if (headRepositoryId === null) return [];
  const call = requestById(client.octokit, "GET /repos/{owner}/{repo}/activity", {
    repository_id: headRepositoryId,
    ref: `refs/heads/${headRef}`,
    per_page: 100,
  });
  const answer = await toResult(readData(call, Activities));
  if (!answer.ok && TRANSIENT.includes(answer.failure.kind)) throw new GitHubError(answer.failure);
  const moves = answer.ok ? answer.value : [];
  return moves.flatMap(({ before, after, actor }) =>
    actor === null ? [] : [{ userId: actor.id, before, after }],
  );
}

const TRANSIENT: readonly FailureKind[] = ["rate_limited", "unavailable", "timed_out"];
