import { z } from "zod";
import { type GraphqlAnswer, type GraphqlError, readGraphql } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { PER_PAGE, readData, readUnless } from "../client/read-answer.ts";
import { createGitHubFailure, GitHubError, type GitHubFailure } from "../client/result.ts";
import { readAllClaims, toActor } from "./commit-claims.ts";
import { HEAD_QUERY } from "./head-query.ts";
import { Oid, RawHead, type RawPull } from "./head-schema.ts";
import {
  type FileState,
  type HeadState,
  MAX_COMMITS,
  MAX_FILES,
  type PullState,
  type RepositoryState,
} from "./head-state.ts";
import { readOneShotChecks } from "./one-shot-checks.ts";
import {
  readBranchPolicy,
  resolveOrganisationFile,
  toCodeOwnersFile,
  toDefaultBranch,
  toRepositoryFile,
  toRepositoryState,
} from "./policy-file.ts";

export interface HeadRequest {
  readonly owner: string;
  readonly name: string;
  readonly number: number;
  readonly repositoryId: number;
  readonly organisationPolicy: "read" | "none";
  /**
   * `one-shot checks`: only check runs by CI jobs of Tollgate are read, because statuses need a permission that
   * workflows rarely give. Absent: all statuses and checks.
   */
  readonly claims?: "all" | "one-shot checks";
  /** Whether the base branch's file of code owners is read too. */
  readonly codeOwners?: boolean;
}

const PAGE = 100;
/** Claims per page where the whole query is too much for GitHub. */
const SMALL_PAGE = 20;

/**
 * One pull request's head as it is now: one round trip; one more only for a long list of files, checks or statuses, or to learn
 * what the installation covers. A partial answer is always marked as partial. Null: no such pull request or repository for this
 * installation, also in the first seconds after it was opened.
 *
 * @throws GitHubError
 */
export async function readHead(client: InstallationClient, request: HeadRequest): Promise<HeadState | null> {
  const answer = await readUnless(["not_found", "gone"], queryHead(client, request));
  if (answer === null || isMissing(answer.errors)) return null;
  const { data, errors, page } = answer;
  const home = data.repository;
  if (home === null || home.pullRequest === null || home.databaseId !== request.repositoryId) return null;
  return completeHead(client, request, { home, pull: home.pullRequest, data, errors, page });
}

/** GitHub says so, breaks off after ten seconds, or never answers. */
const isPossiblyTooLarge = ({ kind, status }: GitHubFailure): boolean =>
  ["too_large", "timed_out"].includes(kind) || status === 502 || status === 504;

const isOneShot = ({ claims }: HeadRequest): boolean => claims === "one-shot checks";

/** GitHub's answer, and how many claims a page of it has: fewer where GitHub did not manage the usual number. */
async function queryHead(
  { octokit }: InstallationClient,
  request: HeadRequest,
): Promise<GraphqlAnswer<RawHead> & { readonly page: number }> {
  const { owner, name, number } = request;
  const organisation = request.organisationPolicy === "read";
  const variables = {
    owner,
    name,
    number,
    organisation,
    claims: !isOneShot(request),
    owners: request.codeOwners === true,
  };
  const query = async (page: number) => ({
    ...(await readGraphql(octokit.graphql(HEAD_QUERY, { ...variables, page }), RawHead)),
    page,
  });
  try {
    return await query(PAGE);
  } catch (error) {
    if (!(error instanceof GitHubError) || !isPossiblyTooLarge(error.failure)) throw error;
    return query(SMALL_PAGE);
  }
}

/** Whether the pull request is not found. Any other error outside the organisation's part means that a part of the head is missing. */
function isMissing(errors: readonly GraphqlError[]): boolean {
  const error = errors.find(({ path }) => path[0] !== "organisation");
  if (error === undefined) return false;
  if (error.type === "NOT_FOUND" && error.path.length <= 2) return true;
  const kind = error.type === "FORBIDDEN" ? "forbidden" : "unavailable";
  const message = `${error.type} at ${error.path.join(".")}: ${error.message}`;
  throw new GitHubError(createGitHubFailure(kind, message));
}

interface HeadAnswer {
  readonly home: NonNullable<RawHead["repository"]>;
  readonly pull: RawPull;
  readonly data: RawHead;
  readonly errors: readonly GraphqlError[];
  readonly page: number;
}

async function completeHead(
  client: InstallationClient,
  request: HeadRequest,
  found: HeadAnswer,
): Promise<HeadState> {
  const { home, pull } = found;
  const repository = toRepositoryState(home);
  const commit = pull.commits.nodes[0]?.commit;
  if (commit === undefined || commit.oid !== pull.headRefOid)
    throw new GitHubError(createGitHubFailure("unavailable", "GitHub's copies of the head do not agree yet"));
  const at = { owner: request.owner, name: request.name, sha: commit.oid, page: found.page };
  const expected = request.organisationPolicy;
  const question = { repository, expected, answer: found.data.organisation, errors: found.errors };
  const [claims, paths, organisation] = await Promise.all([
    isOneShot(request)
      ? readOneShotChecks(client, { repositoryId: repository.id, sha: commit.oid })
      : readAllClaims(client, at, commit.statusCheckRollup?.contexts ?? null),
    readPullPaths(client, { owner: request.owner, name: request.name, pull }),
    resolveOrganisationFile(question, client),
  ]);
  const { statuses, checks, complete: claimsComplete } = claims;
  const head: HeadState = {
    repository,
    pull: toPullState(pull, paths),
    statuses,
    checks,
    claimsComplete,
    policy: buildPolicyFiles(repository, home, { pull, organisation }),
  };
  const isAboveOther = (pull.baseRef?.associatedPullRequests.totalCount ?? 0) > 0;
  return isAboveOther && pull.state === "OPEN" ? joinStack(client, head) : head;
}

function buildPolicyFiles(
  repository: RepositoryState,
  { defaultBranchRef }: Pick<HeadAnswer["home"], "defaultBranchRef">,
  { pull, organisation }: { readonly pull: RawPull; readonly organisation: FileState },
): HeadState["policy"] {
  const label = `${repository.owner}/${repository.name}`;
  const base = { repository: label, ref: pull.baseRefName };
  const target = pull.baseRef?.target ?? null;
  const codeOwners = target && toCodeOwnersFile(target, base);
  const head = { repository: label, ref: `refs/pull/${pull.number}/head` };
  return {
    repository: toRepositoryFile(target, base),
    organisation,
    head: toRepositoryFile(pull.commits.nodes[0]?.commit ?? null, head),
    ...(codeOwners && { codeOwners }),
    defaultBranch: toDefaultBranch(defaultBranchRef, label),
  };
}

const STATE = { OPEN: "open", CLOSED: "closed", MERGED: "merged" } as const;

function toPullState(raw: RawPull, paths: PullPaths): PullState {
  return {
    number: raw.number,
    state: STATE[raw.state],
    draft: raw.isDraft,
    title: raw.title,
    headSha: raw.headRefOid,
    baseRef: raw.baseRefName,
    stack: null,
    testMergeSha: raw.potentialMergeCommit?.oid ?? null,
    openedMs: parseTime(raw.createdAt),
    closedMs: parseTime(raw.closedAt),
    mergedMs: parseTime(raw.mergedAt),
    mergedBy: toActor(raw.mergedBy ?? null),
    mergeSha: raw.mergeCommit?.oid ?? null,
    author: toActor(raw.author),
    labels: (raw.labels?.nodes ?? []).map(({ name }) => name),
    commitsComplete: raw.commits.totalCount < MAX_COMMITS,
    ...paths,
  };
}

const parseTime = (text: string | null | undefined): number | null => (text ? Date.parse(text) : null);

interface PullPaths {
  readonly paths: readonly string[];
  readonly pathsComplete: boolean;
}

interface PathsRequest {
  readonly owner: string;
  readonly name: string;
  readonly pull: RawPull;
}

const File = z.object({
  filename: z.string(),
  previous_filename: z.string().optional(),
  contents_url: z.string(),
});

/**
 * Every path the pull request touches, before and after. One page of GraphQL is enough for small ones; it does not tell where a
 * renamed file came from, so a rename or more than a page is read again over REST, all pages at once.
 */
async function readPullPaths(
  { octokit }: InstallationClient,
  { owner, name: repo, pull }: PathsRequest,
): Promise<PullPaths> {
  const { files, changedFiles, number: pull_number } = pull;
  const simple =
    files !== null &&
    !files.pageInfo.hasNextPage &&
    files.nodes.every((file) => !/^(RENAMED|COPIED)$/.test(file.changeType));
  if (simple) {
    const paths = files.nodes.map((file) => file.path);
    return { paths, pathsComplete: paths.length >= changedFiles };
  }
  const pages = Math.max(1, Math.ceil(Math.min(changedFiles, MAX_FILES) / PER_PAGE));
  const reads = Array.from({ length: pages }, (_, index) => {
    const parameters = { owner, repo, pull_number, per_page: PER_PAGE, page: index + 1 };
    return readData(octokit.rest.pulls.listFiles(parameters), z.array(File));
  });
  const read = (await Promise.all(reads)).flat();
  const paths = new Set(read.flatMap((file) => [file.filename, file.previous_filename ?? file.filename]));
  const sameHead = read.every((file) => file.contents_url.endsWith(`ref=${pull.headRefOid}`));
  return { paths: [...paths], pathsComplete: sameHead && read.length >= changedFiles };
}

const Stacks = z.array(
  z.object({
    number: z.int(),
    base: z.object({ ref: z.string() }),
    pull_requests: z.array(
      z.object({ number: z.int(), merged_at: z.string().nullable(), head: z.object({ sha: Oid }) }),
    ),
  }),
);

/**
 * Returns a head with the trunk as its base branch where it is in a stack above others that are not merged, else the same head. Servers
 * without stacks answer 404.
 */
async function joinStack(client: InstallationClient, head: HeadState): Promise<HeadState> {
  const { repository, pull } = head;
  const { codeOwners: _, ...policy } = head.policy; // of the branch below, not of the trunk
  const at = { repository_id: repository.id, pull_request: pull.number };
  const call = requestById(client.octokit, "GET /repos/{owner}/{repo}/stacks", at);
  const stacks = (await readUnless(["not_found"], readData(call, Stacks))) ?? [];
  const isOwn = ({ number }: { readonly number: number }) => number === pull.number;
  const stack = stacks.find(({ pull_requests: pulls }) => pulls.some(isOwn));
  const all = stack?.pull_requests ?? [];
  const lower = all.slice(0, all.findIndex(isOwn)).filter(({ merged_at }) => merged_at === null);
  if (stack === undefined || lower.length === 0) return head;
  const below = lower.map(({ number, head: { sha: headSha } }) => ({ number, headSha }));
  const { ref: baseRef } = stack.base;
  return {
    ...head,
    pull: { ...pull, baseRef, stack: { number: stack.number, below } },
    policy: { ...policy, repository: await readTrunkFile(client, head, baseRef) },
  };
}

async function readTrunkFile(
  client: InstallationClient,
  { repository: { id: repositoryId, owner, name }, policy: { defaultBranch } }: HeadState,
  branch: string,
): Promise<FileState> {
  if (defaultBranch?.name === branch) return defaultBranch.file;
  const request = { owner, name, repositoryId, organisationPolicy: "none", branch } as const;
  const read = await readUnless(["not_found"], readBranchPolicy(client, request));
  return read?.repository ?? { state: "unreadable", reason: "base_missing" };
}
