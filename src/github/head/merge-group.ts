import { z } from "zod";
import type { Sha } from "../../kernel/ids.ts";
import { readGraphql } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { readData, readUnless } from "../client/read-answer.ts";
import { createGitHubFailure, GitHubError } from "../client/result.ts";
import { MERGE_GROUP_QUERY, QUEUE_COMMITS_QUERY } from "./head-query.ts";
import { RawMergeGroup, RawQueueCommits } from "./head-schema.ts";
import type { HeadState, RepositoryState } from "./head-state.ts";
import {
  resolveOrganisationFile,
  toDefaultBranch,
  toRepositoryFile,
  toRepositoryState,
} from "./policy-file.ts";

export interface MergeGroupRequest {
  readonly owner: string;
  readonly name: string;
  readonly repositoryId: number;
  /** Base branch without `refs/heads/`. */
  readonly baseRef: string;
  readonly headSha: string;
  /** `gh-readonly-queue/<base>/pr-<number>-<sha>` as a delivery says; without the last part for a group that the sweep found. */
  readonly headRef: string;
  readonly organisationPolicy: "read" | "none";
}

export interface QueuedPull {
  readonly number: number;
  /** The head that is queued: pushing to it takes the pull request out of the queue. */
  readonly headSha: Sha;
}

export interface MergeGroupState {
  readonly repository: RepositoryState;
  /**
   * The pull requests whose changes the group's commit holds, and all that are queued before them: never fewer than GitHub would
   * merge with it.
   */
  readonly pulls: readonly QueuedPull[];
  /** The files that are in force on the base branch, and the default branch. */
  readonly policy: Omit<HeadState["policy"], "head">;
}

type GroupRepository = NonNullable<RawMergeGroup["repository"]>;
type QueueEntry = NonNullable<GroupRepository["mergeQueue"]>["entries"]["nodes"][number];

export interface QueuedGroup {
  readonly headSha: string;
  /** The folder of the queue's branches: the queue shows such a group's commit, and no branch's name is believed. */
  readonly headRef: string;
  readonly baseRef: string;
}

const Refs = z.array(z.object({ ref: z.string() }));

/** The base branches that may have groups in a merge queue. Writers can create such branches too: they prove nothing. Throws `GitHubError`. */
export async function listQueueBases(
  client: InstallationClient,
  repositoryId: number,
): Promise<ReadonlySet<string>> {
  const call = requestById(client.octokit, "GET /repos/{owner}/{repo}/git/matching-refs/{ref}", {
    repository_id: repositoryId,
    ref: "heads/gh-readonly-queue/",
  });
  const refs = await readData(call, Refs);
  const bases = refs.map(({ ref }) => /^refs\/heads\/gh-readonly-queue\/(.+)\/pr-[^/]+$/.exec(ref)?.[1]);
  return new Set(bases.filter((base) => base !== undefined));
}

/** The groups that wait in the merge queue of a base branch, as the queue itself shows them. Throws `GitHubError`. */
export async function listQueuedGroups(
  client: InstallationClient,
  request: Pick<MergeGroupRequest, "repositoryId" | "owner" | "name" | "baseRef">,
): Promise<readonly QueuedGroup[]> {
  const { repositoryId, owner, name, baseRef } = request;
  const call = client.octokit.graphql(QUEUE_COMMITS_QUERY, { owner, name, base: baseRef });
  const home = (await readGraphql(call, RawQueueCommits)).data.repository;
  const entries = home?.databaseId === repositoryId ? home.mergeQueue?.entries.nodes : undefined;
  const headRef = `gh-readonly-queue/${baseRef}/`;
  return (entries ?? []).flatMap(({ headCommit }) =>
    headCommit === null ? [] : [{ headSha: headCommit.oid, headRef, baseRef }],
  );
}

/**
 * Reads the pull requests that a merge group's commit merges, and the policy files of its base branch, in one round trip. Null: it is gone.
 *
 * @throws GitHubError, also where the queue does not show which pull requests the commit holds
 */
export async function readMergeGroup(
  client: InstallationClient,
  request: MergeGroupRequest,
): Promise<MergeGroupState | null> {
  const { owner, name, baseRef: base, headSha: sha } = request;
  const organisation = request.organisationPolicy === "read";
  const variables = { owner, name, base, baseRef: `refs/heads/${base}`, sha, organisation };
  const call = readGraphql(client.octokit.graphql(MERGE_GROUP_QUERY, variables), RawMergeGroup);
  const answer = await readUnless(["not_found", "gone"], call);
  if (answer === null) return null;
  const { data, errors } = answer;
  const home = data.repository;
  if (home === null || home.group === null || home.databaseId !== request.repositoryId) return null;
  const broken = errors.find(({ path }) => path[0] !== "organisation");
  if (broken !== undefined) throw createUnavailableError(`${broken.type}: ${broken.message}`);
  const repository = toRepositoryState(home);
  const source = { repository: `${repository.owner}/${repository.name}`, ref: base };
  const question = { repository, expected: request.organisationPolicy, answer: data.organisation, errors };
  const policy = {
    repository: toRepositoryFile(home.ref?.target ?? null, source),
    organisation: await resolveOrganisationFile(question, client),
    defaultBranch: toDefaultBranch(home.defaultBranchRef, source.repository),
  };
  return { repository, pulls: selectQueuedPulls(home, request), policy };
}

const createUnavailableError = (message: string): GitHubError =>
  new GitHubError(createGitHubFailure("unavailable", message));

/** The queued pull requests up to the group's last one. Throws when they cannot be proven. */
function selectQueuedPulls(home: GroupRepository, request: MergeGroupRequest): readonly QueuedPull[] {
  const entries = (home.mergeQueue?.entries.nodes ?? []).toSorted((a, b) => a.position - b.position);
  const last = entries.findLastIndex((entry) => isLast(entry, request));
  if (last < 0) throw createUnavailableError("the merge queue does not list the group");
  const pulls: QueuedPull[] = [];
  for (const [index, { pullRequest: pull }] of entries.slice(0, last + 1).entries()) {
    if (pull === null) throw createUnavailableError("an entry of the merge queue has no pull request");
    if (!isMergedHead(pull.headRefOid, index === last ? home.group : findOwnCommit(entries, index)))
      throw createUnavailableError("the group holds another head than its pull request has now");
    pulls.push({ number: pull.number, headSha: pull.headRefOid });
  }
  return pulls;
}

/** Of a stack, one commit may merge several; it shows the highest head, whose evaluation is about those below it too. */
function findOwnCommit(entries: readonly QueueEntry[], index: number): QueueEntry["headCommit"] {
  const commit = entries[index]?.headCommit ?? null;
  return entries.slice(index + 1).some((later) => later.headCommit?.oid === commit?.oid) ? null : commit;
}

/** Whether an entry's commit merges this head; where pull requests are squashed, the commit does not show which one. */
const isMergedHead = (head: Sha, commit: GroupRepository["group"]): boolean =>
  (commit?.parents.nodes[1]?.oid ?? head) === head;

/** Finds the group's entry by its commit; where the entry shows none, by the pull request that GitHub names in the queue's branch. */
function isLast({ headCommit, pullRequest }: QueueEntry, { headSha, headRef }: MergeGroupRequest): boolean {
  if (headCommit !== null) return headCommit.oid === headSha;
  const named = /\/pr-(\d+)-[0-9a-f]+$/.exec(headRef)?.[1];
  return named !== undefined && pullRequest?.number === Number(named);
}
