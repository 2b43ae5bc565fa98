import { z } from "zod";
import { createComment, refuseWhenLocked, removeComment, updateComment } from "../actions/comments.ts";
import { bodyOf, idIn } from "../api/body.ts";
import {
  type ApiAnswer,
  type ApiRoute,
  created,
  noContent,
  ok,
  type PermissionNeed,
  type RepositoryCall,
} from "../api/call.ts";
import { paged } from "../api/paging.ts";
import { commentJson, issueJson, reactionJson } from "../formatters/comment.ts";
import { labelJson } from "../formatters/pull.ts";
import { pullOf } from "../state/find.ts";
import { REACTIONS, type SandboxComment } from "../state/pulls.ts";
import { notFound } from "../state/refusal.ts";
import { pullKey } from "../state/world.ts";
import { pullIn, repositoryRoute } from "./repository-route.ts";

const READ: readonly PermissionNeed[] = ["issues:read", "pull_requests:read"];
const WRITE: readonly PermissionNeed[] = ["issues:write", "pull_requests:write"];

const Body = z.object({ body: z.string() });

/** A pull request's conversation. */
export const commentRoutes: readonly ApiRoute[] = [
  repositoryRoute("GET /issues/{issue_number}", READ, (call) =>
    ok(issueJson(call.world, pullIn(call, "issue_number"))),
  ),
  repositoryRoute("GET /issues/{issue_number}/labels", READ, (call) => {
    const { labels } = pullIn(call, "issue_number");
    return paged(call, labels, (page) => page.map((name) => labelJson(call.world, call.repository, name)));
  }),
  repositoryRoute("GET /issues/{issue_number}/comments", READ, (call) => {
    const since = Date.parse(call.query("since") ?? "1970-01-01T00:00:00Z");
    const all = call.world.comments.group(pullKey(pullIn(call, "issue_number")));
    const recent = all.filter((comment) => comment.updatedAt >= since);
    return paged(call, recent, (page) => page.map((comment) => commentJson(call.world, comment)));
  }),
  repositoryRoute("POST /issues/{issue_number}/comments", WRITE, (call) => {
    const pull = pullIn(call, "issue_number");
    refuseWhenLocked(pull);
    const { body } = bodyOf(call, "IssueComment", Body);
    const spec = { body, author: call.caller.bot, appId: call.caller.app.id };
    return created(commentJson(call.world, createComment(call.world, pull, spec)));
  }),
  repositoryRoute("GET /issues/comments/{comment_id}", READ, (call) =>
    ok(commentJson(call.world, commentIn(call))),
  ),
  repositoryRoute("PATCH /issues/comments/{comment_id}", WRITE, (call) => {
    const comment = writableComment(call);
    const { body } = bodyOf(call, "IssueComment", Body);
    return ok(commentJson(call.world, updateComment(call.world, comment.id, { body, by: call.caller.bot })));
  }),
  repositoryRoute("DELETE /issues/comments/{comment_id}", WRITE, (call) => {
    removeComment(call.world, writableComment(call).id, call.caller.bot);
    return noContent;
  }),
  repositoryRoute("GET /issues/comments/{comment_id}/reactions", READ, (call) => {
    const all = call.world.reactions.group(String(commentIn(call).id));
    return paged(call, all, (page) => page.map((reaction) => reactionJson(call.world, reaction)));
  }),
  repositoryRoute("POST /issues/comments/{comment_id}/reactions", WRITE, (call) => react(call)),
];

/** Creates a reaction; returns the existing one when it is repeated. */
function react(call: RepositoryCall): ApiAnswer {
  const { world, caller } = call;
  const comment = writableComment(call);
  const { content } = bodyOf(call, "Reaction", z.object({ content: z.enum(REACTIONS) }));
  const own = world.reactions
    .group(String(comment.id))
    .find((reaction) => reaction.userId === caller.bot.id && reaction.content === content);
  if (own !== undefined) return ok(reactionJson(world, own));
  const reaction = { commentId: comment.id, userId: caller.bot.id, content, createdAt: world.clock.now() };
  return created(reactionJson(world, world.reactions.insert({ id: world.nextId("other"), ...reaction })));
}

function commentIn(call: RepositoryCall): SandboxComment {
  const comment = call.world.comments.get(idIn(call, "comment_id"));
  if (comment === null || comment.repositoryId !== call.repository.id) throw notFound();
  return comment;
}

/** Returns a comment. With write access an App may also change other authors' comments, as on GitHub. */
function writableComment(call: RepositoryCall): SandboxComment {
  const comment = commentIn(call);
  refuseWhenLocked(pullOf(call.world, comment));
  return comment;
}
