import { z } from "zod";
import type { PullKey } from "../../src/kernel/ids.ts";
import {
  type ApiAnswer,
  ApiRefusal,
  type ApiRoute,
  answerList,
  created,
  formatTime,
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
import { formatAccount } from "./accounts.ts";
import { formatApp } from "./apps.ts";
import { renderMarkdown } from "./markdown.ts";
import { resolvePull } from "./pulls.ts";
import { deliverEvent } from "./repositories.ts";

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
  const comment = world.comments.insert({
    ...{ id: world.nextId("comment"), repositoryId, number, authorId: author.id, appId, body },
    ...{ createdAt: world.clock.now(), editedAt: null, minimised: null },
  });
  notifyMentioned(world, comment, "", author);
  return emitCommentEvent(world, comment, { action: "created", by: author });
}

function updateComment(world: World, id: number, body: string, by: Account): SandboxComment {
  checkBody(body);
  const { body: before } = world.comments.require(id);
  const comment = world.comments.update(id, { body, editedAt: world.clock.now() });
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
  // A pull request is an issue with this member.
  const issue = { number: comment.number, pull_request: {} };
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
    const all = call.world.comments.group(buildPullKey(resolvePull(call, "issue_number")));
    return answerList(call, all, formatComment);
  }),
  route.repository("POST /issues/{issue_number}/comments", WRITE_NEEDS, (call) => {
    const pull = resolvePull(call, "issue_number");
    refuseWhenLocked(pull);
    const { body } = parseCallBody(call, "IssueComment", Body);
    const spec = { body, author: call.caller.bot, appId: call.caller.app.id };
    return created(formatComment(call.world, createComment(call.world, pull, spec)));
  }),
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
  const id = world.nextId("other");
  return created(formatReaction(world, world.reactions.insert({ id, commentId, userId, content })));
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
  const { id, authorId, appId, body, createdAt } = comment;
  return {
    id,
    node_id: buildNodeId("IssueComment", id),
    user: formatAccount(world, authorId),
    body,
    created_at: formatTime(createdAt),
    reactions: { total_count: world.reactions.group(String(id)).length },
    performed_via_github_app: appId === null ? null : formatApp(world, world.apps.require(appId)),
  };
}

const formatReaction = (world: World, { id, userId, content }: Reaction): JsonObject => ({
  id,
  user: formatAccount(world, userId),
  content,
});
