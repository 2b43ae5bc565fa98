import {
  type ApiAnswer,
  type ApiRoute,
  answerList,
  formatTime,
  formatTimeOrNull,
  type JsonObject,
  notFound,
  ok,
  parseId,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import { countLines, isAncestor, listCommitsBetween, listPullChanges } from "../state/git.ts";
import type { Account, Repository, SandboxPull } from "../state/records.ts";
import {
  buildNodeId,
  buildPullKey,
  findMembership,
  findPull,
  getObjects,
  getPermission,
  type World,
} from "../state/world.ts";
import { formatAccountById, formatTeam } from "./accounts.ts";
import { formatFileChange, resolveCommit } from "./commits.ts";
import { findStack, findTestMerge, listMergeObstacles } from "./merge-rule.ts";
import { deliverEvent, formatRepository, getRepositoryApiUrl, getRepositoryUrl } from "./repositories.ts";

/** The API's maximum number of listed files of a pull request. */
export const MAX_FILES = 3000;

/** Pull requests. */
export const pullRoutes: readonly ApiRoute[] = [
  route.repository("GET /pulls", ["pull_requests:read"], answerPulls),
  route.repository("GET /pulls/{pull_number}", ["pull_requests:read"], (call) =>
    ok(formatPull(call.world, resolvePull(call, "pull_number"))),
  ),
  route.repository("GET /pulls/{pull_number}/files", ["pull_requests:read"], (call) => {
    const pull = resolvePull(call, "pull_number");
    const changes = listPullChanges(getObjects(call.world, call.repository), pull).slice(0, MAX_FILES);
    const at = { repository: call.repository, ref: pull.headSha };
    return answerList(call, changes, (world, change) => formatFileChange(world, at, change));
  }),
  route.repository("GET /commits/{commit_sha}/pulls", ["pull_requests:read"], (call) => {
    const sha = resolveCommit(call, "commit_sha");
    const pulls = call.world.pulls.group(String(call.repository.id));
    return answerList(
      call,
      pulls.filter((pull) => hasCommit(call, pull, sha)),
      formatPullSimple,
    );
  }),
];

export function resolvePull(call: RepositoryCall, name: "pull_number" | "issue_number"): SandboxPull {
  const pull = findPull(call.world, { repositoryId: call.repository.id, number: parseId(call, name) });
  if (pull === null) throw notFound();
  return pull;
}

/** Lists pull requests, newest first or by `sort` and `direction`; filtered by `state`, `head` ("owner:branch") and `base`. */
function answerPulls(call: RepositoryCall): ApiAnswer {
  const state = call.query("state") ?? "open";
  const [head, base] = [call.query("head"), call.query("base")];
  const owner = (pull: SandboxPull) => call.world.accounts.require(pull.headOwnerId).login;
  const rows = call.world.pulls
    .group(String(call.repository.id))
    .filter((pull) => state === "all" || pull.state === state)
    .filter((pull) => head === null || `${owner(pull)}:${pull.headRef}` === head)
    .filter((pull) => base === null || pull.baseRef === base);
  return answerList(call, sortPulls(call, rows), formatPullSimple);
}

function sortPulls(call: RepositoryCall, rows: readonly SandboxPull[]): readonly SandboxPull[] {
  const [sort, direction] = [call.query("sort"), call.query("direction")];
  const isByUpdate = sort === "updated";
  const isAscending = direction === "asc" || (direction === null && sort !== null && !isByUpdate);
  const age = (pull: SandboxPull) => (isByUpdate ? pull.updatedAt : pull.createdAt);
  const ascending = rows.toSorted((a, b) => age(a) - age(b) || a.number - b.number);
  return isAscending ? ascending : ascending.toReversed();
}

/** GitHub finds a pull request by its commits only when they came from the repository itself, and merged ones by their merge commit. */
function hasCommit({ world, repository }: RepositoryCall, pull: SandboxPull, sha: string): boolean {
  if (pull.mergeCommitSha === sha) return true;
  if (pull.headRepositoryId !== repository.id) return false;
  const objects = getObjects(world, repository);
  return isAncestor(objects, sha, pull.headSha) && !isAncestor(objects, sha, pull.baseSha);
}

/** Sends `pull_request` with an action; returns the pull request for chaining. */
export function emitPullEvent(
  world: World,
  pull: SandboxPull,
  { action, by, extra }: { action: string; by: Account; extra?: JsonObject },
): SandboxPull {
  deliverEvent(world, {
    event: "pull_request",
    action,
    repository: world.repositories.require(pull.repositoryId),
    senderId: by.id,
    payload: { number: pull.number, pull_request: formatPull(world, pull), ...extra },
  });
  return pull;
}

export const getPullUrl = (world: World, pull: Pick<SandboxPull, "repositoryId" | "number">): string =>
  `${getRepositoryUrl(world, world.repositories.require(pull.repositoryId))}/pull/${pull.number}`;

/** Formats what a pull request and its issue have in common. */
export function formatPullCore(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  return {
    id: pull.id,
    node_id: buildNodeId("PullRequest", pull.id),
    html_url: getPullUrl(world, pull),
    number: pull.number,
    state: pull.state,
    locked: pull.locked,
    active_lock_reason: pull.locked ? "resolved" : null,
    title: pull.title,
    user: formatAccountById(world, pull.authorId),
    body: pull.body,
    labels: pull.labels.map((name) => formatLabel(world, repository, name)),
    milestone: null,
    created_at: formatTime(pull.createdAt),
    updated_at: formatTime(pull.updatedAt),
    closed_at: formatTimeOrNull(pull.closedAt),
    assignee: null,
    assignees: [],
    author_association: getAuthorAssociation(world, repository, pull.authorId),
    draft: pull.draft,
  };
}

/** Formats a pull request for lists. */
export const formatPullSimple = (world: World, pull: SandboxPull): JsonObject => ({
  ...formatPullCore(world, pull),
  merged_at: formatTimeOrNull(pull.mergedAt),
  merge_commit_sha: pull.mergeCommitSha ?? (pull.state === "open" ? findTestMerge(world, pull) : null),
  ...formatReviewers(world, pull),
  head: formatSide(world, pull, "head"),
  base: formatSide(world, pull, "base"),
  auto_merge: null,
  stack: formatStackPlace(world, pull),
  ...formatPullUrls(world, pull),
});

/** Formats where a pull request is in its stack; null: it is in none. */
function formatStackPlace(world: World, pull: SandboxPull): JsonObject | null {
  const stack = findStack(world, pull);
  if (stack === null) return null;
  const sha = world.repositories.require(pull.repositoryId).branches.get(stack.trunk) ?? pull.baseSha;
  const { id, number, pulls, trunk: ref } = stack;
  return { id, number, size: pulls.length, position: 1 + pulls.indexOf(pull.number), base: { ref, sha } };
}

/** Formats those whose review is requested. */
export const formatReviewers = (world: World, pull: SandboxPull) => ({
  requested_reviewers: pull.reviewerIds.map((id) => formatAccountById(world, id)),
  requested_teams: pull.reviewerTeamIds.map((id) => formatTeam(world, world.teams.require(id))),
});

/** Formats a pull request for its own endpoint and for deliveries. */
function formatPull(world: World, pull: SandboxPull): JsonObject {
  const objects = getObjects(world, world.repositories.require(pull.repositoryId));
  const changes = listPullChanges(objects, pull);
  const mergeable = pull.state === "open" ? findTestMerge(world, pull) !== null : null;
  return {
    ...formatPullSimple(world, pull),
    ...countLines(changes),
    merged: pull.mergedAt !== null,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: deriveMergeableState(world, pull),
    merged_by: pull.mergedById === null ? null : formatAccountById(world, pull.mergedById),
    comments: world.comments.group(buildPullKey(pull)).length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: listCommitsBetween(objects, pull.baseSha, pull.headSha).length,
    changed_files: changes.length,
  };
}

/** Formats a pull request for checks. */
export function formatPullMinimal(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  const side = (row: Repository) => ({ id: row.id, url: getRepositoryApiUrl(world, row), name: row.name });
  const head = world.repositories.require(pull.headRepositoryId);
  return {
    id: pull.id,
    number: pull.number,
    url: `${getRepositoryApiUrl(world, repository)}/pulls/${pull.number}`,
    head: { ref: pull.headRef, sha: pull.headSha, repo: side(head) },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo: side(repository) },
  };
}

/** Returns a person's author association with a repository. */
export function getAuthorAssociation(world: World, repository: Repository, accountId: number): string {
  if (repository.ownerId === accountId) return "OWNER";
  if (findMembership(world, repository.ownerId, accountId) !== null) return "MEMBER";
  if (repository.collaborators.has(accountId)) return "COLLABORATOR";
  return getPermission(world, repository, accountId) === "none" ? "NONE" : "CONTRIBUTOR";
}

export const formatLabel = (world: World, repository: Repository, name: string): JsonObject => ({
  id: 208_045_946,
  node_id: buildNodeId("Label", `${repository.id}:${name}`),
  url: `${getRepositoryApiUrl(world, repository)}/labels/${encodeURIComponent(name)}`,
  name,
  description: "",
  color: "ededed",
  default: false,
});

function formatSide(world: World, pull: SandboxPull, side: "head" | "base"): JsonObject {
  const isHead = side === "head";
  const repository = world.repositories.require(isHead ? pull.headRepositoryId : pull.repositoryId);
  const ownerId = isHead ? pull.headOwnerId : repository.ownerId;
  const ref = isHead ? pull.headRef : pull.baseRef;
  return {
    label: `${world.accounts.require(ownerId).login}:${ref}`,
    ref,
    sha: isHead ? pull.headSha : pull.baseSha,
    user: formatAccountById(world, ownerId),
    repo: formatRepository(world, repository),
  };
}

function deriveMergeableState(world: World, pull: SandboxPull): string {
  if (pull.state === "closed") return "unknown";
  if (findTestMerge(world, pull) === null) return "dirty";
  if (pull.draft) return "draft";
  return listMergeObstacles(world, pull).length > 0 ? "blocked" : "clean";
}

function formatPullUrls(world: World, pull: SandboxPull): JsonObject {
  const api = getRepositoryApiUrl(world, world.repositories.require(pull.repositoryId));
  const self = `${api}/pulls/${pull.number}`;
  const issue = `${api}/issues/${pull.number}`;
  const html = getPullUrl(world, pull);
  const links = {
    issue,
    comments: `${issue}/comments`,
    review_comments: `${self}/comments`,
    review_comment: `${api}/pulls/comments{/number}`,
    commits: `${self}/commits`,
    statuses: `${api}/statuses/${pull.headSha}`,
  };
  const entries = Object.entries(links);
  return {
    url: self,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    ...Object.fromEntries(entries.map(([name, href]) => [`${name}_url`, href])),
    _links: Object.fromEntries(
      [["self", self], ["html", html], ...entries].map(([name, href]) => [name, { href }]),
    ),
  };
}
