import { z } from "zod";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/request-by-id.ts";
import type { GitHubResult } from "../client/result.ts";
import { readPages } from "../client/to-result.ts";
import { ACTOR_TYPES, STATUS_STATES } from "./claims.ts";
import type { StatusClaim } from "./head-state.ts";

const Posted = z
  .object({
    context: z.string(),
    state: z.enum(STATUS_STATES).catch("pending"), // unknown is not settled
    target_url: z.string().nullish(),
    creator: z
      .object({
        id: z.int(),
        login: z.string(),
        type: z.enum(ACTOR_TYPES).or(z.literal("unknown")).catch("unknown"),
      })
      .nullish(),
  })
  .transform(
    ({ context, state, ...posted }): StatusClaim => ({
      context,
      state,
      targetUrl: posted.target_url ?? null,
      creator: posted.creator ?? null,
    }),
  );

/** GitHub keeps 1,000 statuses of a context on a commit. */
const MAX_PAGES = 10;

/**
 * Every status that was posted on a commit, newest first, of which a head shows only the newest of each context. The newest 1,000: of a
 * commit with more, older ones are left out.
 * https://docs.github.com/en/rest/commits/statuses#list-commit-statuses-for-a-reference
 */
export const readStatusHistory = (
  { octokit }: InstallationClient,
  { repositoryId, sha }: { readonly repositoryId: number; readonly sha: string },
): Promise<GitHubResult<readonly StatusClaim[]>> =>
  readPages(
    (page) =>
      requestById(octokit, "GET /repos/{owner}/{repo}/commits/{ref}/statuses", {
        repository_id: repositoryId,
        ref: sha,
        ...page,
      }),
    z.array(Posted),
    MAX_PAGES,
  );
