import { listChangedFiles } from "../git/diff.ts";
import { findMergeBase, listCommitsBetween } from "../git/history.ts";
import { listMergeObstacles } from "../rules/merge-rule.ts";
import { findStack } from "../rules/stack.ts";
import { findTestMerge } from "../rules/test-merge.ts";
import { getObjects, getPermission } from "../state/find.ts";
import { buildNodeId } from "../state/node-id.ts";
import type { SandboxPull } from "../state/pulls.ts";
import type { Repository } from "../state/repositories.ts";
import { buildPullKey, type World } from "../state/world.ts";
import { formatAccountById, formatTeam } from "./account.ts";
import { formatTime, formatTimeOrNull, type JsonObject } from "./json.ts";
import { formatRepository, getRepositoryApiUrl, getRepositoryUrl } from "./repository.ts";

export const getPullUrl = (world: World, pull: SandboxPull): string =>
  `${getRepositoryUrl(world, world.repositories.require(pull.repositoryId))}/pull/${pull.number}`;

/** Formats a pull request for lists. */
export function formatPullSimple(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  return {
    id: pull.id,
    node_id: buildNodeId("PullRequest", pull.id),
    number: pull.number,
    state: pull.state,
    locked: pull.locked,
    active_lock_reason: pull.lockReason,
    title: pull.title,
    user: formatAccountById(world, pull.authorId),
    body: pull.body,
    labels: pull.labels.map((name) => formatLabel(world, repository, name)),
    milestone: null,
    created_at: formatTime(pull.createdAt),
    updated_at: formatTime(pull.updatedAt),
    closed_at: formatTimeOrNull(pull.closedAt),
    merged_at: formatTimeOrNull(pull.mergedAt),
    merge_commit_sha: pull.mergeCommitSha ?? (pull.state === "open" ? findTestMerge(world, pull) : null),
    assignee: null,
    assignees: [],
    ...formatReviewers(world, pull),
    head: formatSide(world, pull, "head"),
    base: formatSide(world, pull, "base"),
    author_association: getAuthorAssociation(world, repository, pull.authorId),
    auto_merge: null,
    draft: pull.draft,
    stack: formatStackPlace(world, pull),
    ...formatPullUrls(world, pull),
  };
}

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
export function formatPull(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  const objects = getObjects(world, repository);
  const changes = listChangedFiles(objects, findMergeBase(objects, pull.baseSha, pull.headSha), pull.headSha);
  return {
    ...formatPullSimple(world, pull),
    merged: pull.mergedAt !== null,
    mergeable: pull.state === "open" ? findTestMerge(world, pull) !== null : null,
    rebaseable: pull.state === "open" ? findTestMerge(world, pull) !== null : null,
    mergeable_state: deriveMergeableState(world, pull),
    merged_by: pull.mergedById === null ? null : formatAccountById(world, pull.mergedById),
    comments: world.comments.group(buildPullKey(pull)).length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: listCommitsBetween(objects, pull.baseSha, pull.headSha).length,
    additions: changes.reduce((sum, change) => sum + change.additions, 0),
    deletions: changes.reduce((sum, change) => sum + change.deletions, 0),
    changed_files: changes.length,
  };
}

/** Formats a pull request for checks. */
export function formatPullMinimal(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  const side = (row: Repository) => ({ id: row.id, url: getRepositoryApiUrl(world, row), name: row.name });
  const head = world.repositories.get(pull.headRepositoryId ?? pull.repositoryId) ?? repository;
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
  const member = world.memberships.find(
    (row) => row.organisationId === repository.ownerId && row.userId === accountId,
  );
  if (member !== null) return "MEMBER";
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
  const base = world.repositories.require(pull.repositoryId);
  const ownerId = side === "head" ? pull.headOwnerId : base.ownerId;
  const row = side === "base" ? base : world.repositories.get(pull.headRepositoryId ?? -1);
  const ref = side === "head" ? pull.headRef : pull.baseRef;
  return {
    label: `${world.accounts.require(ownerId).login}:${ref}`,
    ref,
    sha: side === "head" ? pull.headSha : pull.baseSha,
    user: formatAccountById(world, ownerId),
    repo: row === null ? null : formatRepository(world, row),
  };
}

function deriveMergeableState(world: World, pull: SandboxPull): string {
  if (pull.state === "closed") return "unknown";
  if (findTestMerge(world, pull) === null) return "dirty";
  if (pull.draft) return "draft";
  return listMergeObstacles(world, pull).length > 0 ? "blocked" : "clean";
}

function formatPullUrls(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  const api = getRepositoryApiUrl(world, repository);
  const self = `${api}/pulls/${pull.number}`;
  const issue = `${api}/issues/${pull.number}`;
  const html = getPullUrl(world, pull);
  const links = {
    self,
    html,
    issue,
    comments: `${issue}/comments`,
    review_comments: `${self}/comments`,
    review_comment: `${api}/pulls/comments{/number}`,
    commits: `${self}/commits`,
    statuses: `${api}/statuses/${pull.headSha}`,
  };
  return {
    url: self,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
  };
}
