import { toGraphqlResult } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { failed, type GitHubResult } from "../client/result.ts";
import { type Claims, readAllClaims } from "./claims.ts";
import { COMMIT_CLAIMS_QUERY } from "./head-query.ts";
import { RawCommitClaims } from "./head-schema.ts";

const PAGE = 100;

/** Reads the statuses and checks of a commit; fails for a missing commit or one of another repository. */
export async function readCommitClaims(
  client: InstallationClient,
  repository: { readonly id: number; readonly owner: string; readonly name: string },
  sha: string,
): Promise<GitHubResult<Claims>> {
  const { id, owner, name } = repository;
  const at = { owner, name, sha, page: PAGE };
  const answer = await toGraphqlResult(client.octokit.graphql(COMMIT_CLAIMS_QUERY, at), RawCommitClaims);
  if (!answer.ok) return answer;
  const home = answer.value.data.repository;
  if (home?.databaseId !== id || home.object === null || answer.value.errors.length > 0)
    return failed("unavailable", "the commit cannot be read");
  return readAllClaims(client, at, home.object.statusCheckRollup?.contexts ?? null);
}
