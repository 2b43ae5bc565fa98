import { type GraphqlAnswer, toGraphqlResult } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { failed, type GitHubResult, succeeded } from "../client/result.ts";
import { MAX_COMMITS } from "../head/head-state.ts";
import { COMMITS_QUERY, type RawCommit, type RawCommits, RawFurtherCommits } from "./people-query.ts";

/** A pull request at one head. */
export interface PullAtHead {
  readonly owner: string;
  readonly name: string;
  readonly repositoryId: number;
  readonly number: number;
  /** The evaluated head: commits of another one do not count. */
  readonly headSha: string;
}

/** All commits of a pull request: one round trip for each further hundred of them. Null: as many as GitHub lists, or more. */
export async function readCommits(
  client: InstallationClient,
  request: PullAtHead,
  first: RawCommits,
): Promise<GitHubResult<readonly RawCommit[] | null>> {
  if (first.totalCount >= MAX_COMMITS) return succeeded(null);
  const { owner, name, number } = request;
  const nodes = [...first.nodes];
  let { pageInfo } = first;
  while (pageInfo.hasNextPage && nodes.length < MAX_COMMITS) {
    const variables = { owner, name, number, after: pageInfo.endCursor ?? "" };
    const answer = await toGraphqlResult(client.octokit.graphql(COMMITS_QUERY, variables), RawFurtherCommits);
    if (!answer.ok) return answer;
    const further = selectFurtherCommits(answer.value, request);
    if (further === null) return failed("unavailable", "a page of commits is missing");
    nodes.push(...further.nodes);
    pageInfo = further.pageInfo;
  }
  return succeeded(nodes.length < first.totalCount ? null : nodes.map(({ commit }) => commit));
}

/** The requested pull request at the requested head; null: it is another one. */
export function findPullAtHead<T extends { readonly headRefOid: string }>(
  repository: { readonly databaseId: number; readonly pullRequest: T | null } | null,
  { repositoryId, headSha }: PullAtHead,
): T | null {
  const pull = repository?.databaseId === repositoryId ? repository.pullRequest : null;
  return pull?.headRefOid === headSha ? pull : null;
}

function selectFurtherCommits(
  { data, errors }: GraphqlAnswer<(typeof RawFurtherCommits)["_output"]>,
  request: PullAtHead,
): RawCommits | null {
  const commits = errors.length > 0 ? undefined : findPullAtHead(data.repository, request)?.commits;
  return commits === undefined || commits.nodes.length === 0 ? null : commits;
}

/**
 * GitHub ids of all who authored, co-authored or committed one of the commits; null: one names more than GitHub lists. An author
 * without an account cannot approve.
 */
export function listAuthors(commits: readonly RawCommit[]): readonly number[] | null {
  if (commits.some(({ authors }) => authors.nodes.length < authors.totalCount)) return null;
  const people = commits.flatMap(({ authors, committer }) => [...authors.nodes, committer]);
  return [...new Set(people.flatMap((person) => person?.user?.databaseId ?? []))];
}
