import { nodeId } from "../state/node-id.ts";
import {
  REACTIONS,
  type Reaction,
  type Review,
  type SandboxComment,
  type SandboxPull,
} from "../state/pulls.ts";
import { pullKey, type World } from "../state/world.ts";
import { accountById } from "./account.ts";
import { appJson } from "./app.ts";
import { type JsonObject, time, timeOrNull } from "./json.ts";
import { associationOf, labelJson, pullPage } from "./pull.ts";
import { repositoryApi } from "./repository.ts";

const reactions = (url: string, given: readonly Reaction[]): JsonObject => ({
  url: `${url}/reactions`,
  total_count: given.length,
  ...Object.fromEntries(
    REACTIONS.map((content) => [content, given.filter((reaction) => reaction.content === content).length]),
  ),
});

export const reactionJson = (world: World, reaction: Reaction): JsonObject => ({
  id: reaction.id,
  node_id: nodeId("Reaction", reaction.id),
  user: accountById(world, reaction.userId),
  content: reaction.content,
  created_at: time(reaction.createdAt),
});

export function commentJson(world: World, comment: SandboxComment): JsonObject {
  const repository = world.repositories.require(comment.repositoryId);
  const api = repositoryApi(world, repository);
  const url = `${api}/issues/comments/${comment.id}`;
  const app = comment.appId === null ? null : world.apps.get(comment.appId);
  return {
    url,
    html_url: `${world.origin()}/${api.split("/repos/")[1]}/pull/${comment.number}#issuecomment-${comment.id}`,
    issue_url: `${api}/issues/${comment.number}`,
    id: comment.id,
    node_id: nodeId("IssueComment", comment.id),
    user: accountById(world, comment.authorId),
    created_at: time(comment.createdAt),
    updated_at: time(comment.updatedAt),
    author_association: associationOf(world, repository, comment.authorId),
    body: comment.body,
    reactions: reactions(url, world.reactions.group(String(comment.id))),
    performed_via_github_app: app === null ? null : appJson(world, app),
  };
}

/** Formats a pull request as an issue, as in comment deliveries. */
export function issueJson(world: World, pull: SandboxPull): JsonObject {
  const repository = world.repositories.require(pull.repositoryId);
  const api = repositoryApi(world, repository);
  const url = `${api}/issues/${pull.number}`;
  const html = pullPage(world, pull);
  return {
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: html,
    id: pull.id,
    node_id: nodeId("PullRequest", pull.id),
    number: pull.number,
    title: pull.title,
    user: accountById(world, pull.authorId),
    labels: pull.labels.map((name) => labelJson(world, repository, name)),
    state: pull.state,
    locked: pull.locked,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: world.comments.group(pullKey(pull)).length,
    created_at: time(pull.createdAt),
    updated_at: time(pull.updatedAt),
    closed_at: timeOrNull(pull.closedAt),
    author_association: associationOf(world, repository, pull.authorId),
    active_lock_reason: pull.lockReason,
    draft: pull.draft,
    pull_request: {
      url: `${api}/pulls/${pull.number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      merged_at: timeOrNull(pull.mergedAt),
    },
    body: pull.body,
    reactions: reactions(url, []),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: null,
  };
}

export function reviewJson(world: World, review: Review): JsonObject {
  const repository = world.repositories.require(review.repositoryId);
  const api = repositoryApi(world, repository);
  const html = `${world.origin()}/${api.split("/repos/")[1]}/pull/${review.number}#pullrequestreview-${review.id}`;
  const pull = `${api}/pulls/${review.number}`;
  return {
    id: review.id,
    node_id: nodeId("PullRequestReview", review.id),
    user: accountById(world, review.authorId),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: pull,
    author_association: associationOf(world, repository, review.authorId),
    _links: { html: { href: html }, pull_request: { href: pull } },
    submitted_at: time(review.submittedAt),
    commit_id: review.commitSha,
  };
}
