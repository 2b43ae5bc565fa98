import { type GraphqlError, toGraphqlResult } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { failed, type GitHubResult, succeeded } from "../client/result.ts";
import { findPullAtHead, type PullAtHead, readContributors } from "./contributors.ts";
import { PEOPLE_QUERY, RawPeople, type RawPull } from "./people-query.ts";
import { type PersonComment, type PersonText, toPersonComment, toPersonText } from "./person-text.ts";
import { readPushers } from "./pushers.ts";

export interface People {
  /** GitHub ids of all who authored, co-authored, committed or pushed a commit; null: more than GitHub lists. */
  readonly contributors: readonly number[] | null;
  /** By global id; what is missing was deleted. */
  readonly texts: ReadonlyMap<string, PersonText>;
  /** The newest comments, oldest first. */
  readonly comments: readonly PersonComment[];
}

export interface PeopleRequest extends PullAtHead {
  /** Global ids of comments and reviews, at most 100. */
  readonly nodeIds: readonly string[];
}

/** Who worked on a pull request, and what they wrote: two round trips, one more for each further hundred commits. */
export async function readPeople(
  client: InstallationClient,
  request: PeopleRequest,
): Promise<GitHubResult<People>> {
  const { owner, name, repositoryId, number, nodeIds } = request;
  const variables = { owner, name, number, ids: nodeIds };
  const answer = await toGraphqlResult(client.octokit.graphql(PEOPLE_QUERY, variables), RawPeople);
  if (!answer.ok) return answer;
  const { data, errors } = answer.value;
  const refused = errors.find((error) => !isDeleted(error));
  if (refused !== undefined)
    return failed("unavailable", `${refused.type} at ${refused.path.join(".")}: ${refused.message}`);
  const pull = findPullAtHead(data.repository, request);
  if (pull === null) return failed("unavailable", "GitHub's copies of the head do not agree yet");
  const contributors = await readAllContributors(client, request, pull);
  if (!contributors.ok) return contributors;
  const texts = data.nodes.flatMap((raw) =>
    raw === null ? [] : (toPersonText(raw, { repositoryId, number, pull }) ?? []),
  );
  return succeeded({
    contributors: contributors.value,
    texts: new Map(texts.map((one) => [one.nodeId, one])),
    comments: toPersonComment(pull),
  });
}

/** GitHub answers for a deleted comment with an error in its place; the others stand. */
const isDeleted = ({ type, path }: GraphqlError): boolean => type === "NOT_FOUND" && path[0] === "nodes";

async function readAllContributors(
  client: InstallationClient,
  request: PeopleRequest,
  pull: RawPull,
): Promise<GitHubResult<People["contributors"]>> {
  const found = await readContributors(client, request, pull.commits);
  if (!found.ok) return found;
  const people = found.value?.people ?? null;
  if (found.value === null || people === null) return succeeded(null);
  const pushers = await readPushers(client, {
    headRepositoryId: pull.headRepository?.databaseId ?? null,
    headRef: pull.headRefName,
    commits: found.value.commits,
  });
  return pushers.ok ? succeeded([...people, ...pushers.value]) : pushers;
}
