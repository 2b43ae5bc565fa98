import { type Answer, failed, succeeded } from "../client/answer.ts";
import type { GraphqlAnswer, GraphqlError, InstallationClient } from "../client/installation-client.ts";
import {
  COMMITS_QUERY,
  PEOPLE_QUERY,
  type RawCommits,
  RawFurtherCommits,
  RawPeople,
  type RawWritten,
} from "./people-query.ts";

/** A comment or a review as GitHub shows it now. */
export interface Written {
  readonly nodeId: string;
  readonly kind: "comment" | "review";
  /** Null: the account is gone, or it is no person's. */
  readonly author: { readonly id: number; readonly login: string } | null;
  readonly body: string;
  /** Whether its text was ever changed. */
  readonly edited: boolean;
  readonly minimised: boolean;
  /** A review that approves, and has not been dismissed. */
  readonly approves: boolean;
  /** The commit that a review is for. */
  readonly commitSha: string | null;
}

export interface People {
  /** GitHub ids of all who authored, co-authored or committed a commit; null: more than GitHub lists. */
  readonly contributors: readonly number[] | null;
  /** By global id; what is missing was deleted. */
  readonly written: ReadonlyMap<string, Written>;
}

export interface PeopleRequest {
  readonly owner: string;
  readonly name: string;
  readonly repositoryId: number;
  readonly number: number;
  /** The head that is judged: the commits of another one tell nothing. */
  readonly headSha: string;
  /** Global ids of comments and reviews, at most 100. */
  readonly nodeIds: readonly string[];
}

/** GitHub lists no more commits of a pull request. */
const MAX_COMMITS = 250;

/** Who worked on a pull request, and what was said: one round trip, one more for each further hundred commits. */
export async function readPeople(
  client: InstallationClient,
  request: PeopleRequest,
): Promise<Answer<People>> {
  const { owner, name, number, nodeIds } = request;
  const variables = { owner, name, number, ids: nodeIds };
  const answer = await client.query({ query: PEOPLE_QUERY, variables, answer: RawPeople });
  if (!answer.ok) return answer;
  const { data, errors } = answer.value;
  const refused = errors.find((error) => !isOneThatIsGone(error));
  if (refused !== undefined)
    return failed("unavailable", `${refused.type} at ${refused.path.join(".")}: ${refused.message}`);
  const first = commitsOf(data.repository, request);
  if (first === null) return failed("unavailable", "GitHub's copies of the head do not agree yet");
  const contributors = await allContributors(client, request, first);
  if (!contributors.ok) return contributors;
  const written = data.nodes.flatMap((raw) => (raw === null ? [] : (toWritten(raw, request) ?? [])));
  return succeeded({
    contributors: contributors.value,
    written: new Map(written.map((one) => [one.nodeId, one])),
  });
}

/** GitHub answers for a deleted comment with an error in its place; the others stand. */
const isOneThatIsGone = ({ type, path }: GraphqlError): boolean =>
  type === "NOT_FOUND" && path[0] === "nodes";

type Repository = (typeof RawPeople)["_output"]["repository"];

function commitsOf(repository: Repository, { repositoryId, headSha }: PeopleRequest): RawCommits | null {
  const pull = repository?.databaseId === repositoryId ? repository.pullRequest : null;
  return pull?.headRefOid === headSha ? pull.commits : null;
}

async function allContributors(
  client: InstallationClient,
  request: PeopleRequest,
  first: RawCommits,
): Promise<Answer<readonly number[] | null>> {
  if (first.totalCount > MAX_COMMITS) return succeeded(null);
  const { owner, name, number } = request;
  const nodes = [...first.nodes];
  let { pageInfo } = first;
  while (pageInfo.hasNextPage && nodes.length < MAX_COMMITS) {
    const variables = { owner, name, number, after: pageInfo.endCursor ?? "" };
    const answer = await client.query({ query: COMMITS_QUERY, variables, answer: RawFurtherCommits });
    if (!answer.ok) return answer;
    const further = furtherCommits(answer.value, request);
    if (further === null) return failed("unavailable", "a page of commits is missing");
    nodes.push(...further.nodes);
    pageInfo = further.pageInfo;
  }
  if (nodes.length < first.totalCount) return succeeded(null);
  return succeeded(namedBy(nodes));
}

function furtherCommits(
  { data, errors }: GraphqlAnswer<(typeof RawFurtherCommits)["_output"]>,
  request: PeopleRequest,
): RawCommits | null {
  const commits = errors.length > 0 ? null : commitsOf(data.repository, request);
  return commits === null || commits.nodes.length === 0 ? null : commits;
}

/** Null: a commit names more authors than were read. A name without an account is nobody who could sign. */
function namedBy(nodes: RawCommits["nodes"]): readonly number[] | null {
  if (nodes.some(({ commit }) => commit.authors.nodes.length < commit.authors.totalCount)) return null;
  const people = nodes.flatMap(({ commit }) => [...commit.authors.nodes, commit.committer]);
  return [...new Set(people.flatMap((person) => person?.user?.databaseId ?? []))];
}

function toWritten(raw: RawWritten, { repositoryId, number }: PeopleRequest): Written | null {
  const { author, repository } = raw;
  const pull = raw.commentedOn ?? raw.reviewOf;
  if (repository.databaseId !== repositoryId || pull?.number !== number) return null;
  const id = author?.__typename === "User" ? (author.databaseId ?? null) : null;
  return {
    nodeId: raw.id,
    kind: raw.__typename === "PullRequestReview" ? "review" : "comment",
    author: author === null || id === null ? null : { id, login: author.login },
    body: raw.body,
    edited: raw.lastEditedAt !== null,
    minimised: raw.isMinimized,
    approves: raw.state === "APPROVED",
    commitSha: raw.commit?.oid ?? null,
  };
}
