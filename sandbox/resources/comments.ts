import { z } from "zod";
import type { PullKey } from "../../src/kernel/ids.ts";
import {
  type ApiAnswer,
  ApiRefusal,
  type ApiRoute,
  answerList,
  created,
  formatTime,
  formatTimeOrNull,
  invalid,
  type JsonObject,
  noContent,
  notFound,
  ok,
  type PermissionNeed,
  parseCallBody,
  parseId,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import type { Account, Reaction, ReactionContent, SandboxComment, SandboxPull } from "../state/records.ts";
import { REACTIONS } from "../state/records.ts";
import {
  buildNodeId,
  buildPullKey,
  findAccount,
  findTeam,
  requirePull,
  resolvePerson,
  type World,
} from "../state/world.ts";
import { formatAccountById } from "./accounts.ts";
import { formatApp } from "./apps.ts";
import { renderMarkdown } from "./markdown.ts";
import { formatPullCore, getAuthorAssociation, getPullUrl, resolvePull } from "./pulls.ts";
import { deliverEvent, getRepositoryApiUrl } from "./repositories.ts";

interface ShownReaction {
  /** A login. */
  readonly by: string;
  readonly content: ReactionContent;
}

/** Comments by people; the bot under test writes its own through the API. Each verb sends `issue_comment` with its action. */
export const createCommentVerbs = (world: World) => ({
  addComment: (key: PullKey, { body, by }: { body: string; by?: string }): SandboxComment => {
    const pull = requirePull(world, key);
    return createComment(world, pull, { body, author: resolvePerson(world, by, pull.authorId), appId: null });
  },
  editComment: (id: number, { body, by }: { body: string; by?: string }): SandboxComment =>
    updateComment(world, id, body, resolvePerson(world, by, world.comments.require(id).authorId)),
  deleteComment: (id: number, by?: string): void =>
    removeComment(world, id, resolvePerson(world, by, world.comments.require(id).authorId)),
  /** Minimises the comment, as maintainers can. GitHub sends no delivery for it. */
  minimiseComment: (id: number, reason: "outdated" | "resolved" | "spam"): SandboxComment =>
    world.comments.update(id, { minimised: reason }),
  /** All comments of a pull request, oldest first. */
  comments: (key: PullKey): readonly SandboxComment[] => world.comments.group(buildPullKey(key)),
  /** The mention notifications of a pull request's comments, in order; `to` is a login. */
  notifications: (key: PullKey): readonly { readonly to: string; readonly mention: string }[] =>
    world.notifications
      .group(buildPullKey(key))
      .map(({ userId, mention }) => ({ to: world.accounts.require(userId).login, mention })),
  /** The reactions in order of creation. */
  reactions: (id: number): readonly ShownReaction[] =>
    world.reactions
      .group(String(id))
      .map(({ userId, content }) => ({ by: world.accounts.require(userId).login, content })),
});

/** Refuses bodies that are empty or too long. */
function createComment(
  world: World,
  { repositoryId, number }: SandboxPull,
  { body, author, appId }: { body: string; author: Account; appId: number | null },
): SandboxComment {
  checkBody(body);
  const now = world.clock.now();
  const comment = world.comments.insert({
    ...{ id: world.nextId("comment"), repositoryId, number, authorId: author.id, appId, body },
    ...{ createdAt: now, updatedAt: now, editedAt: null, minimised: null },
  });
  notifyMentioned(world, comment, "", author);
  return emitCommentEvent(world, comment, { action: "created", by: author });
}

function updateComment(world: World, id: number, body: string, by: Account): SandboxComment {
  checkBody(body);
  const { body: before } = world.comments.require(id);
  const now = world.clock.now();
  const comment = world.comments.update(id, { body, updatedAt: now, editedAt: now });
  notifyMentioned(world, comment, before, by);
  const changes = { body: { from: before } };
  return emitCommentEvent(world, comment, { action: "edited", by, extra: { changes } });
}

function removeComment(world: World, id: number, by: Account): void {
  const comment = world.comments.require(id);
  world.comments.remove(id);
  emitCommentEvent(world, comment, { action: "deleted", by });
}

/** In characters (UTF-16 units), as the API's message has it. */
const MAX_BODY = 65_536;

function checkBody(body: string): void {
  const complaint = { resource: "IssueComment", field: "body", code: "unprocessable" };
  if (body.trim() === "") throw invalid({ ...complaint, message: "body can't be blank" });
  if (body.length > MAX_BODY)
    throw invalid({ ...complaint, message: "body is too long (maximum is 65536 characters)" });
}

/** Notifies everybody whom a comment newly mentions, except its author. `before`: the text before; "" for a new comment. */
function notifyMentioned(world: World, comment: SandboxComment, before: string, by: Account): void {
  const old = parseMentions(before);
  const { id: commentId, repositoryId, number } = comment;
  for (const mention of parseMentions(comment.body)) {
    if (old.has(mention)) continue;
    for (const userId of listMentionedPeople(world, mention)) {
      if (userId === by.id) continue;
      const id = world.nextId("other");
      world.notifications.insert({ id, repositoryId, number, commentId, userId, mention });
    }
  }
}

/** Returns the mentions in a text outside code, in lower case: `ada`, or `acme/finops`. */
function parseMentions(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  if (!text.includes("@")) return found;
  const note = (mention: string): null => {
    found.add(mention.toLowerCase());
    return null;
  };
  const team = (organisation: string, slug: string) => note(`${organisation}/${slug}`);
  renderMarkdown(text, { references: { person: note, team, pull: () => null }, breaks: true });
  return found;
}

function listMentionedPeople(world: World, mention: string): readonly number[] {
  const [login = "", slug] = mention.split("/");
  if (slug !== undefined) return findTeam(world, login, slug)?.memberIds ?? [];
  const account = findAccount(world, login);
  return account?.type === "User" ? [account.id] : [];
}

function emitCommentEvent(
  world: World,
  comment: SandboxComment,
  { action, by, extra }: { action: string; by: Account; extra?: JsonObject },
): SandboxComment {
  const issue = formatIssue(world, requirePull(world, comment));
  deliverEvent(world, {
    event: "issue_comment",
    action,
    repository: world.repositories.require(comment.repositoryId),
    senderId: by.id,
    payload: { issue, comment: formatComment(world, comment), ...extra },
  });
  return comment;
}

const READ_NEEDS: readonly PermissionNeed[] = ["issues:read", "pull_requests:read"];
const WRITE_NEEDS: readonly PermissionNeed[] = ["issues:write", "pull_requests:write"];

const Body = z.object({ body: z.string() });

/** A pull request's conversation. */
export const commentRoutes: readonly ApiRoute[] = [
  route.repository("GET /issues/{issue_number}/comments", READ_NEEDS, (call) => {
    const since = Date.parse(call.query("since") ?? "1970-01-01T00:00:00Z");
    const all = call.world.comments.group(buildPullKey(resolvePull(call, "issue_number")));
    const recent = all.filter((comment) => comment.updatedAt >= since);
    return answerList(call, recent, formatComment);
  }),
  route.repository("POST /issues/{issue_number}/comments", WRITE_NEEDS, (call) => {
    const pull = resolvePull(call, "issue_number");
    refuseWhenLocked(pull);
    const { body } = parseCallBody(call, "IssueComment", Body);
    const spec = { body, author: call.caller.bot, appId: call.caller.app.id };
    return created(formatComment(call.world, createComment(call.world, pull, spec)));
  }),
  route.repository("GET /issues/comments/{comment_id}", READ_NEEDS, (call) =>
    ok(formatComment(call.world, resolveComment(call))),
  ),
  route.repository("PATCH /issues/comments/{comment_id}", WRITE_NEEDS, (call) => {
    const { id } = resolveWritableComment(call);
    const { body } = parseCallBody(call, "IssueComment", Body);
    return ok(formatComment(call.world, updateComment(call.world, id, body, call.caller.bot)));
  }),
  route.repository("DELETE /issues/comments/{comment_id}", WRITE_NEEDS, (call) => {
    removeComment(call.world, resolveWritableComment(call).id, call.caller.bot);
    return noContent;
  }),
  route.repository("GET /issues/comments/{comment_id}/reactions", READ_NEEDS, (call) =>
    answerList(call, call.world.reactions.group(String(resolveComment(call).id)), formatReaction),
  ),
  route.repository("POST /issues/comments/{comment_id}/reactions", WRITE_NEEDS, answerReaction),
];

/** Creates a reaction; returns the existing one when it is repeated. */
function answerReaction(call: RepositoryCall): ApiAnswer {
  const { world, caller } = call;
  const { id: commentId } = resolveWritableComment(call);
  const userId = caller.bot.id;
  const { content } = parseCallBody(call, "Reaction", z.object({ content: z.enum(REACTIONS) }));
  const own = world.reactions
    .group(String(commentId))
    .find((reaction) => reaction.userId === userId && reaction.content === content);
  if (own !== undefined) return ok(formatReaction(world, own));
  const stamp = { id: world.nextId("other"), createdAt: world.clock.now() };
  return created(formatReaction(world, world.reactions.insert({ ...stamp, commentId, userId, content })));
}

function resolveComment(call: RepositoryCall): SandboxComment {
  const comment = call.world.comments.get(parseId(call, "comment_id"));
  if (comment === null || comment.repositoryId !== call.repository.id) throw notFound();
  return comment;
}

/** Returns a comment. With write access an App may also change other authors' comments, as on GitHub. */
function resolveWritableComment(call: RepositoryCall): SandboxComment {
  const comment = resolveComment(call);
  refuseWhenLocked(requirePull(call.world, comment));
  return comment;
}

/** Apps may not write on a locked conversation. */
function refuseWhenLocked(pull: SandboxPull): void {
  if (pull.locked) throw new ApiRefusal(403, "Unable to create comment because issue is locked.");
}

function formatComment(world: World, comment: SandboxComment): JsonObject {
  const repository = world.repositories.require(comment.repositoryId);
  const api = getRepositoryApiUrl(world, repository);
  const url = `${api}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${getPullUrl(world, comment)}#issuecomment-${comment.id}`,
    issue_url: `${api}/issues/${comment.number}`,
    id: comment.id,
    node_id: buildNodeId("IssueComment", comment.id),
    user: formatAccountById(world, comment.authorId),
    created_at: formatTime(comment.createdAt),
    updated_at: formatTime(comment.updatedAt),
    author_association: getAuthorAssociation(world, repository, comment.authorId),
    body: comment.body,
    reactions: formatReactions(url, world.reactions.group(String(comment.id))),
    performed_via_github_app:
      comment.appId === null ? null : formatApp(world, world.apps.require(comment.appId)),
  };
}

/** Formats a pull request as an issue, as in comment deliveries. */
function formatIssue(world: World, pull: SandboxPull): JsonObject {
  const api = getRepositoryApiUrl(world, world.repositories.require(pull.repositoryId));
  const url = `${api}/issues/${pull.number}`;
  const html = getPullUrl(world, pull);
  return {
    ...formatPullCore(world, pull),
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    comments: world.comments.group(buildPullKey(pull)).length,
    pull_request: {
      url: `${api}/pulls/${pull.number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      merged_at: formatTimeOrNull(pull.mergedAt),
    },
    reactions: formatReactions(url, []),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: null,
  };
}

const formatReactions = (url: string, items: readonly Reaction[]): JsonObject => ({
  url: `${url}/reactions`,
  total_count: items.length,
  ...Object.fromEntries(
    REACTIONS.map((content) => [content, items.filter((reaction) => reaction.content === content).length]),
  ),
});

const formatReaction = (world: World, reaction: Reaction): JsonObject => ({
  id: reaction.id,
  node_id: buildNodeId("Reaction", reaction.id),
  user: formatAccountById(world, reaction.userId),
  content: reaction.content,
  created_at: formatTime(reaction.createdAt),
});
