import { type GraphqlAnswer, type GraphqlError, readGraphql } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { createGitHubFailure, GitHubError } from "../client/result.ts";
import { MAX_COMMITS } from "../head/head-state.ts";
import {
  COMMITS_QUERY,
  PEOPLE_QUERY,
  type RawCommit,
  type RawCommits,
  RawFurtherCommits,
  RawPeople,
  type RawPull,
} from "./people-query.ts";
import { type PersonComment, type PersonText, toPersonComments, toPersonText } from "./person-text.ts";
import { findUpdateMerges, isPushOf, type Push, readPushes, selectPlainMerges } from "./update-merges.ts";

export interface People {
  /**
   * GitHub ids of all who authored, co-authored, committed or pushed a commit that is more than an update from the base branch; null:
   * more than GitHub lists.
   */
  readonly contributors: ReadonlySet<number> | null;
  /** By global id; what is missing was deleted. */
  readonly texts: ReadonlyMap<string, PersonText>;
  /** The newest comments, oldest first. */
  readonly comments: readonly PersonComment[];
}

export interface PeopleRequest extends PullAtHead {
  /** Global ids of comments and reviews, at most 100. */
  readonly nodeIds: readonly string[];
  readonly pushes: readonly Push[];
}

/** Who worked on a pull request, and what they wrote: two round trips, one more for each further hundred commits. Throws `GitHubError`. */
export async function readPeople(client: InstallationClient, request: PeopleRequest): Promise<People> {
  const { owner, name, repositoryId, number, nodeIds } = request;
  const variables = { owner, name, number, ids: nodeIds };
  const { data, errors } = await readGraphql(client.octokit.graphql(PEOPLE_QUERY, variables), RawPeople);
  const refused = errors.find((error) => !isDeleted(error));
  if (refused !== undefined)
    throw createUnavailableError(`${refused.type} at ${refused.path.join(".")}: ${refused.message}`);
  const pull = findPullAtHead(data.repository, request);
  if (pull === null) throw createUnavailableError("GitHub's copies of the head do not agree yet");
  const contributors = await readAllContributors(client, request, pull);
  const texts = data.nodes.flatMap((raw) =>
    raw === null ? [] : (toPersonText(raw, { repositoryId, number, pull }) ?? []),
  );
  return {
    contributors,
    texts: new Map(texts.map((one) => [one.nodeId, one])),
    comments: toPersonComments(pull),
  };
}

const createUnavailableError = (message: string): GitHubError =>
  new GitHubError(createGitHubFailure("unavailable", message));

/** GitHub answers for a deleted comment with an error in its place; the others stand. */
const isDeleted = ({ type, path }: GraphqlError): boolean => type === "NOT_FOUND" && path[0] === "nodes";

async function readAllContributors(
  client: InstallationClient,
  request: PeopleRequest,
  pull: RawPull,
): Promise<People["contributors"]> {
  const commits = await readCommits(client, request, pull.commits);
  if (commits === null || listAuthors(commits) === null) return null;
  const read = await readPushes(client, {
    headRepositoryId: pull.headRepository?.databaseId ?? null,
    headRef: pull.headRefName,
  });
  const known = new Set(commits.map(({ oid }) => oid));
  const pushes = [...read.filter(({ after }) => known.has(after)), ...request.pushes];
  const merges = findUpdateMerges(commits, pushes);
  const listWorkers = (updates: readonly { readonly sha: string; readonly head: string }[]): Set<number> =>
    new Set([
      ...(listAuthors(commits.filter(({ oid }) => !updates.some(({ sha }) => sha === oid))) ?? []),
      ...pushes.filter((push) => !updates.some((merge) => isPushOf(push, merge))).map(({ userId }) => userId),
    ]);
  const others = listWorkers(merges);
  const doubtful = merges.filter(
    (merge) => listWorkers(merges.filter((one) => one !== merge)).size > others.size,
  );
  const plain = await selectPlainMerges(client, doubtful, {
    repositoryId: request.repositoryId,
    baseTip: pull.baseRef?.target?.oid ?? null,
  });
  return listWorkers(merges.filter((merge) => plain.has(merge.sha) || !doubtful.includes(merge)));
}

interface PullAtHead {
  readonly owner: string;
  readonly name: string;
  readonly repositoryId: number;
  readonly number: number;
  /** The evaluated head: commits of another one do not count. */
  readonly headSha: string;
}

/** All commits of a pull request: one round trip for each further hundred of them. Null: as many as GitHub lists, or more. */
async function readCommits(
  client: InstallationClient,
  request: PullAtHead,
  first: RawCommits,
): Promise<readonly RawCommit[] | null> {
  if (first.totalCount >= MAX_COMMITS) return null;
  const { owner, name, number } = request;
  const nodes = [...first.nodes];
  let { pageInfo } = first;
  while (pageInfo.hasNextPage && nodes.length < MAX_COMMITS) {
    const variables = { owner, name, number, after: pageInfo.endCursor ?? "" };
    const answer = await readGraphql(client.octokit.graphql(COMMITS_QUERY, variables), RawFurtherCommits);
    const further = selectFurtherCommits(answer, request);
    if (further === null) throw createUnavailableError("a page of commits is missing");
    nodes.push(...further.nodes);
    pageInfo = further.pageInfo;
  }
  return nodes.length < first.totalCount ? null : nodes.map(({ commit }) => commit);
}

/** The requested pull request at the requested head; null: it is another one. */
function findPullAtHead<T extends { readonly headRefOid: string }>(
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
function listAuthors(commits: readonly RawCommit[]): readonly number[] | null {
  if (commits.some(({ authors }) => authors.nodes.length < authors.totalCount)) return null;
  const people = commits.flatMap(({ authors, committer }) => [...authors.nodes, committer]);
  return [...new Set(people.flatMap((person) => person?.user?.databaseId ?? []))];
}
