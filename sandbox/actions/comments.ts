import { deliverEvent } from "../events/deliver-event.ts";
import { formatComment, formatIssue } from "../formatters/comment.ts";
import type { JsonObject } from "../formatters/json.ts";
import { notifyMentioned } from "../rules/mentions.ts";
import type { Account } from "../state/accounts.ts";
import { requireAccount, requirePull } from "../state/find.ts";
import type { SandboxComment, SandboxPull } from "../state/pulls.ts";
import { ApiRefusal, invalid } from "../state/refusal.ts";
import { buildPullKey, type World } from "../state/world.ts";
import type { CommentVerbs } from "../verbs/comments.ts";

/** In characters (UTF-16 units), as the API's message has it. */
const MAX_BODY = 65_536;

export const createCommentVerbs = (world: World): CommentVerbs => ({
  addComment: (key, { body, by }) => {
    const pull = requirePull(world, key);
    const author = by === undefined ? world.accounts.require(pull.authorId) : requireAccount(world, by);
    return createComment(world, pull, { body, author, appId: null });
  },
  editComment: (id, { body, by }) =>
    updateComment(world, id, { body, by: resolveCommentActor(world, id, by) }),
  deleteComment: (id, by) => removeComment(world, id, resolveCommentActor(world, id, by)),
  minimiseComment: (id, reason) => world.comments.update(id, { minimised: reason }),
  comments: (key) => world.comments.group(buildPullKey(key)),
  notifications: (key) =>
    world.notifications.group(buildPullKey(key)).map(({ userId, mention }) => ({
      to: world.accounts.require(userId).login,
      mention,
    })),
  reactions: (id) =>
    world.reactions.group(String(id)).map(({ userId, content }) => ({
      by: world.accounts.require(userId).login,
      content,
    })),
});

/** Refuses bodies that are empty or too long. */
export function createComment(
  world: World,
  pull: SandboxPull,
  spec: { body: string; author: Account; appId: number | null },
): SandboxComment {
  checkBody(spec.body);
  const now = world.clock.now();
  const comment = world.comments.insert({
    id: world.nextId("comment"),
    repositoryId: pull.repositoryId,
    number: pull.number,
    authorId: spec.author.id,
    appId: spec.appId,
    body: spec.body,
    createdAt: now,
    updatedAt: now,
    editedAt: null,
    minimised: null,
  });
  notifyMentioned(world, comment, { before: null, by: spec.author });
  return emitCommentEvent(world, comment, { action: "created", by: spec.author });
}

export function updateComment(
  world: World,
  id: number,
  change: { body: string; by: Account },
): SandboxComment {
  checkBody(change.body);
  const before = world.comments.require(id);
  const now = world.clock.now();
  const comment = world.comments.update(id, { body: change.body, updatedAt: now, editedAt: now });
  notifyMentioned(world, comment, { before: before.body, by: change.by });
  const extra = { changes: { body: { from: before.body } } };
  return emitCommentEvent(world, comment, { action: "edited", by: change.by, extra });
}

export function removeComment(world: World, id: number, by: Account): void {
  const comment = world.comments.require(id);
  world.comments.remove(id);
  emitCommentEvent(world, comment, { action: "deleted", by });
}

/** Apps may not write on a locked conversation. */
export function refuseWhenLocked(pull: SandboxPull): void {
  if (pull.locked) throw new ApiRefusal(403, "Unable to create comment because issue is locked.");
}

function checkBody(body: string): void {
  const field = { resource: "IssueComment", field: "body" };
  if (body.trim() === "") throw invalid({ ...field, code: "unprocessable", message: "body can't be blank" });
  if (body.length > MAX_BODY) {
    const message = "body is too long (maximum is 65536 characters)";
    throw invalid({ ...field, code: "unprocessable", message });
  }
}

function emitCommentEvent(
  world: World,
  comment: SandboxComment,
  what: { action: string; by: Account; extra?: JsonObject },
): SandboxComment {
  deliverEvent(world, {
    event: "issue_comment",
    action: what.action,
    repository: world.repositories.require(comment.repositoryId),
    senderId: what.by.id,
    payload: {
      issue: formatIssue(world, requirePull(world, comment)),
      comment: formatComment(world, comment),
      ...what.extra,
    },
  });
  return comment;
}

const resolveCommentActor = (world: World, commentId: number, by: string | undefined): Account =>
  by === undefined
    ? world.accounts.require(world.comments.require(commentId).authorId)
    : requireAccount(world, by);
