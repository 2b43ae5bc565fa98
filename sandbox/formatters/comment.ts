import { buildNodeId } from "../state/node-id.ts";
import {
  REACTIONS,
  type Reaction,
  type Review,
  type SandboxComment,
  type SandboxPull,
} from "../state/pulls.ts";
import { buildPullKey, type World } from "../state/world.ts";
import { formatAccountById } from "./account.ts";
import { formatApp } from "./app.ts";
import { formatTime, formatTimeOrNull, type JsonObject } from "./json.ts";
import { formatLabel, getAuthorAssociation, getPullUrl } from "./pull.ts";
import { getRepositoryApiUrl } from "./repository.ts";

const formatReactions = (url: string, items: readonly Reaction[]): JsonObject => ({
  url: `${url}/reactions`,
  total_count: items.length,
  ...Object.fromEntries(
    REACTIONS.map((content) => [content, items.filter((reaction) => reaction.content === content).length]),
  ),
});

export const formatReaction = (world: World, reaction: Reaction): JsonObject => ({
  id: reaction.id,
  node_id: buildNodeId("Reaction", reaction.id),
  user: formatAccountById(world, reaction.userId),
  content: reaction.content,
  created_at: formatTime(reaction.createdAt),
});

export function formatComment(world: World, comment: SandboxComment): JsonObject {
  const repository = world.repositories.require(comment.repositoryId);
  const api = getRepositoryApiUrl(world, repository);
  const url = `${api}/issues/comments/${comment.id}`;
  const app = comment.appId === null ? null : world.apps.get(comment.appId);
  return {
    url,
    html_url: `${world.origin()}/${api.split("/repos/")[1]}/pull/${comment.number}#issuecomment-${comment.id}`,
    issue_url: `${api}/issues/${comment.number}`,
    id: comment.id,
    node_id: buildNodeId("IssueComment", comment.id),
    user: formatAccountById(world, comment.authorId),
    created_at: formatTime(comment.createdAt),
    updated_at: formatTime(comment.updatedAt),
    author_association: getAuthorAssociation(world, repository, comment.authorId),
    body: comment.body,
    reactions: formatReactions(url, world.reactions.group(String(comment.id))),
    performed_via_github_app: app === null ? null : formatApp(world, app),
  };
}

/** Formats a pull request as an issue, as in comment deliveries. */
export function formatIssue(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  const api = getRepositoryApiUrl(world, repository);
  const url = `${api}/issues/${pull.number}`;
  const html = getPullUrl(world, pull);
  return {
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: html,
    id: pull.id,
    node_id: buildNodeId("PullRequest", pull.id),
    number: pull.number,
    title: pull.title,
    user: formatAccountById(world, pull.authorId),
    labels: pull.labels.map((name) => formatLabel(world, repository, name)),
    state: pull.state,
    locked: pull.locked,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: world.comments.group(buildPullKey(pull)).length,
    created_at: formatTime(pull.createdAt),
    updated_at: formatTime(pull.updatedAt),
    closed_at: formatTimeOrNull(pull.closedAt),
    author_association: getAuthorAssociation(world, repository, pull.authorId),
    active_lock_reason: pull.lockReason,
    draft: pull.draft,
    pull_request: {
      url: `${api}/pulls/${pull.number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      merged_at: formatTimeOrNull(pull.mergedAt),
    },
    body: pull.body,
    reactions: formatReactions(url, []),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: null,
  };
}

export function formatReview(world: World, review: Review): JsonObject {
  const repository = world.repositories.require(review.repositoryId);
  const api = getRepositoryApiUrl(world, repository);
  const html = `${world.origin()}/${api.split("/repos/")[1]}/pull/${review.number}#pullrequestreview-${review.id}`;
  const pull = `${api}/pulls/${review.number}`;
  return {
    id: review.id,
    node_id: buildNodeId("PullRequestReview", review.id),
    user: formatAccountById(world, review.authorId),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: pull,
    author_association: getAuthorAssociation(world, repository, review.authorId),
    _links: { html: { href: html }, pull_request: { href: pull } },
    submitted_at: formatTime(review.submittedAt),
    commit_id: review.commitSha,
  };
}
