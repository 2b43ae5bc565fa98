import { changedFiles } from "../git/diff.ts";
import { commitsBetween, mergeBase } from "../git/history.ts";
import { mergeObstacles } from "../rules/merge-rule.ts";
import { testMergeOf } from "../rules/test-merge.ts";
import { objectsOf, permissionOf } from "../state/find.ts";
import { nodeId } from "../state/node-id.ts";
import type { SandboxPull } from "../state/pulls.ts";
import type { Repository } from "../state/repositories.ts";
import { pullKey, type World } from "../state/world.ts";
import { accountById } from "./account.ts";
import { type JsonObject, time, timeOrNull } from "./json.ts";
import { repositoryApi, repositoryJson, repositoryPage } from "./repository.ts";

export const pullPage = (world: World, pull: SandboxPull): string =>
  `${repositoryPage(world, world.repositories.require(pull.repositoryId))}/pull/${pull.number}`;

/** Formats a pull request for lists. */
export function pullSimpleJson(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  return {
    id: pull.id,
    node_id: nodeId("PullRequest", pull.id),
    number: pull.number,
    state: pull.state,
    locked: pull.locked,
    active_lock_reason: pull.lockReason,
    title: pull.title,
    user: accountById(world, pull.authorId),
    body: pull.body,
    labels: pull.labels.map((name) => labelJson(world, repository, name)),
    milestone: null,
    created_at: time(pull.createdAt),
    updated_at: time(pull.updatedAt),
    closed_at: timeOrNull(pull.closedAt),
    merged_at: timeOrNull(pull.mergedAt),
    merge_commit_sha: pull.mergeCommitSha ?? (pull.state === "open" ? testMergeOf(world, pull) : null),
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    head: sideJson(world, pull, "head"),
    base: sideJson(world, pull, "base"),
    author_association: associationOf(world, repository, pull.authorId),
    auto_merge: null,
    draft: pull.draft,
    ...addresses(world, pull),
  };
}

/** Formats a pull request for its own endpoint and for deliveries. */
export function pullJson(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  const objects = objectsOf(world, repository);
  const changes = changedFiles(objects, mergeBase(objects, pull.baseSha, pull.headSha), pull.headSha);
  return {
    ...pullSimpleJson(world, pull),
    merged: pull.mergedAt !== null,
    mergeable: pull.state === "open" ? testMergeOf(world, pull) !== null : null,
    rebaseable: pull.state === "open" ? testMergeOf(world, pull) !== null : null,
    mergeable_state: mergeableState(world, pull),
    merged_by: pull.mergedById === null ? null : accountById(world, pull.mergedById),
    comments: world.comments.group(pullKey(pull)).length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: commitsBetween(objects, pull.baseSha, pull.headSha).length,
    additions: changes.reduce((sum, change) => sum + change.additions, 0),
    deletions: changes.reduce((sum, change) => sum + change.deletions, 0),
    changed_files: changes.length,
  };
}

/** Formats a pull request for checks. */
export function pullMinimalJson(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  const side = (row: Repository) => ({ id: row.id, url: repositoryApi(world, row), name: row.name });
  const head = world.repositories.get(pull.headRepositoryId ?? pull.repositoryId) ?? repository;
  return {
    id: pull.id,
    number: pull.number,
    url: `${repositoryApi(world, repository)}/pulls/${pull.number}`,
    head: { ref: pull.headRef, sha: pull.headSha, repo: side(head) },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo: side(repository) },
  };
}

/** Returns a person's author association with a repository. */
export function associationOf(world: World, repository: Repository, accountId: number): string {
  if (repository.ownerId === accountId) return "OWNER";
  const member = world.memberships.find(
    (row) => row.organisationId === repository.ownerId && row.userId === accountId,
  );
  if (member !== null) return "MEMBER";
  if (repository.collaborators.has(accountId)) return "COLLABORATOR";
  return permissionOf(world, repository, accountId) === "none" ? "NONE" : "CONTRIBUTOR";
}

export const labelJson = (world: World, repository: Repository, name: string): JsonObject => ({
  id: 208_045_946,
  node_id: nodeId("Label", `${repository.id}:${name}`),
  url: `${repositoryApi(world, repository)}/labels/${encodeURIComponent(name)}`,
  name,
  description: "",
  color: "ededed",
  default: false,
});

function sideJson(world: World, pull: SandboxPull, side: "head" | "base"): JsonObject {
  const base = world.repositories.require(pull.repositoryId);
  const ownerId = side === "head" ? pull.headOwnerId : base.ownerId;
  const row = side === "base" ? base : world.repositories.get(pull.headRepositoryId ?? -1);
  const ref = side === "head" ? pull.headRef : pull.baseRef;
  return {
    label: `${world.accounts.require(ownerId).login}:${ref}`,
    ref,
    sha: side === "head" ? pull.headSha : pull.baseSha,
    user: accountById(world, ownerId),
    repo: row === null ? null : repositoryJson(world, row),
  };
}

function mergeableState(world: World, pull: SandboxPull): string {
  if (pull.state === "closed") return "unknown";
  if (testMergeOf(world, pull) === null) return "dirty";
  if (pull.draft) return "draft";
  return mergeObstacles(world, pull).length > 0 ? "blocked" : "clean";
}

function addresses(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  const api = repositoryApi(world, repository);
  const self = `${api}/pulls/${pull.number}`;
  const issue = `${api}/issues/${pull.number}`;
  const html = pullPage(world, pull);
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
