import type { GitHubFailure, GitHubResult } from "../client/answer.ts";
import { type GraphqlAnswer, type GraphqlError, toGraphqlResult } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { actor, allClaims } from "./claims.ts";
import { HEAD_QUERY } from "./head-query.ts";
import { RawHead, type RawHome, type RawPull } from "./head-schema.ts";
import type { FileState, HeadRead, HeadState, PullState, RepositoryState } from "./head-state.ts";
import { type Paths, pullPaths } from "./paths.ts";
import { organisationFile, repositoryFile } from "./policy-file.ts";

export interface HeadRequest {
  readonly owner: string;
  readonly name: string;
  readonly number: number;
  /** The repository's id: another repository can get its name. */
  readonly repositoryId: number;
  /** `none`: the operator states that no organisation has a policy file. */
  readonly organisationPolicy: "read" | "none";
}

const PAGE = 100;
/** Claims per page where the whole query is too much for GitHub. */
const SMALL_PAGE = 20;

/**
 * One pull request's head as it is now: one round trip; one more only for a long list of files, checks or statuses, or to learn
 * what the installation covers. A partial answer is always marked as partial.
 */
export async function readHead(client: InstallationClient, request: HeadRequest): Promise<HeadRead> {
  let page = PAGE;
  let answer = await ask(client, request, page);
  if (!answer.ok && mayBeForItsSize(answer.failure)) {
    page = SMALL_PAGE;
    answer = await ask(client, request, page);
  }
  if (!answer.ok) return unread(answer.failure);
  const { data, errors } = answer.value;
  const refused = firstRefusal(errors);
  if (refused !== null) return refused;
  const home = data.repository;
  if (home === null || home.pullRequest === null || home.databaseId !== request.repositoryId)
    return { state: "gone" };
  return complete(client, request, { home, pull: home.pullRequest, data, errors, page });
}

/** GitHub says so, breaks off after ten seconds, or never answers. */
const mayBeForItsSize = ({ kind, status }: GitHubFailure): boolean =>
  ["too_large", "timed_out"].includes(kind) || status === 502 || status === 504;

function ask(
  client: InstallationClient,
  request: HeadRequest,
  page: number,
): Promise<GitHubResult<GraphqlAnswer<RawHead>>> {
  const { owner, name, number } = request;
  const organisation = request.organisationPolicy === "read";
  const variables = { owner, name, number, page, organisation };
  return toGraphqlResult(client.octokit.graphql(HEAD_QUERY, variables), RawHead);
}

/** Any error outside the organisation's part means that a part of the head is missing. */
function firstRefusal(errors: readonly GraphqlError[]): HeadRead | null {
  const error = errors.find(({ path }) => path[0] !== "organisation");
  if (error === undefined) return null;
  const whole = error.path.length <= 2;
  if (error.type === "NOT_FOUND" && whole) return { state: "gone" };
  const message = `${error.type} at ${error.path.join(".")}: ${error.message}`.slice(0, 300);
  return error.type === "FORBIDDEN" ? { state: "forbidden", message } : { state: "unavailable", message };
}

interface HeadAnswer {
  readonly home: RawHome;
  readonly pull: RawPull;
  readonly data: RawHead;
  readonly errors: readonly GraphqlError[];
  readonly page: number;
}

async function complete(
  client: InstallationClient,
  request: HeadRequest,
  found: HeadAnswer,
): Promise<HeadRead> {
  const { home, pull } = found;
  const repository = repositoryState(home);
  const commit = pull.commits.nodes[0]?.commit;
  if (commit === undefined || commit.oid !== pull.headRefOid) {
    return { state: "unavailable", message: "GitHub's copies of the head do not agree yet" };
  }
  const at = { owner: request.owner, name: request.name, sha: commit.oid, page: found.page };
  const expected = request.organisationPolicy;
  const question = { repository, expected, answer: found.data.organisation, errors: found.errors };
  const [claims, paths, organisation] = await Promise.all([
    allClaims(client, at, commit.statusCheckRollup?.contexts ?? null),
    pullPaths(client, { owner: request.owner, name: request.name, pull }),
    organisationFile(question, client),
  ]);
  if (!claims.ok) return unread(claims.failure);
  if (!paths.ok) return unread(paths.failure);
  const { statuses, checks, complete: claimsComplete } = claims.value;
  const policy = policyFiles(repository, pull, organisation);
  const head: HeadState = {
    repository,
    pull: pullState(pull, paths.value),
    statuses,
    checks,
    claimsComplete,
    policy,
  };
  return { state: "found", head };
}

function policyFiles(
  repository: RepositoryState,
  pull: RawPull,
  organisation: FileState,
): HeadState["policy"] {
  const label = `${repository.owner}/${repository.name}`;
  const base = { repository: label, ref: pull.baseRefName };
  const head = { repository: label, ref: `refs/pull/${pull.number}/head` };
  return {
    repository: repositoryFile(pull.baseRef?.target ?? null, base),
    organisation,
    head: repositoryFile(pull.commits.nodes[0]?.commit ?? null, head),
  };
}

export function repositoryState(raw: RawHome): RepositoryState {
  return {
    id: raw.databaseId,
    owner: raw.owner.login,
    name: raw.name,
    ownerId: raw.owner.databaseId,
    ownerType: raw.owner.__typename,
    visibility: VISIBILITY[raw.visibility],
  };
}

const VISIBILITY = { PUBLIC: "public", PRIVATE: "private", INTERNAL: "internal" } as const;
const STATE = { OPEN: "open", CLOSED: "closed", MERGED: "merged" } as const;

function pullState(raw: RawPull, paths: Paths): PullState {
  return {
    number: raw.number,
    state: STATE[raw.state],
    draft: raw.isDraft,
    locked: raw.locked,
    title: raw.title,
    headSha: raw.headRefOid,
    headRepositoryId: raw.headRepository?.databaseId ?? null,
    baseRef: raw.baseRefName,
    baseTip: raw.baseRef?.target?.oid ?? null,
    testMergeSha: raw.potentialMergeCommit?.oid ?? null,
    mergedMs: raw.mergedAt ? Date.parse(raw.mergedAt) : null,
    mergeSha: raw.mergeCommit?.oid ?? null,
    author: actor(raw.author),
    labels: (raw.labels?.nodes ?? []).map(({ name }) => name),
    changedFiles: raw.changedFiles,
    ...paths,
  };
}

/** The result of a read whose call failed. */
export function unread(failure: GitHubFailure): Exclude<HeadRead, { state: "found" }> {
  switch (failure.kind) {
    case "not_found":
    case "gone":
      return { state: "gone" };
    case "suspended":
      return { state: "suspended" };
    case "rate_limited":
      return { state: "rate_limited", retryAfterMs: failure.retryAfterMs ?? 60_000 };
    case "forbidden":
    case "unauthorised":
      return { state: "forbidden", message: failure.message };
    default:
      return { state: "unavailable", message: `${failure.kind}: ${failure.message}` };
  }
}
