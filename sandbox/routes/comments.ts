import { z } from "zod";
import { createComment, refuseWhenLocked, removeComment, updateComment } from "../actions/comments.ts";
import { parseCallBody, parseId } from "../api/body.ts";
import {
  type ApiAnswer,
  type ApiRoute,
  created,
  noContent,
  ok,
  type PermissionNeed,
  type RepositoryCall,
} from "../api/call.ts";
import { buildPage } from "../api/paging.ts";
import { formatComment, formatIssue, formatReaction } from "../formatters/comment.ts";
import { formatLabel } from "../formatters/pull.ts";
import { requirePull } from "../state/find.ts";
import { REACTIONS, type SandboxComment } from "../state/pulls.ts";
import { notFound } from "../state/refusal.ts";
import { buildPullKey } from "../state/world.ts";
import { createRepositoryRoute, resolvePull } from "./repository-route.ts";

const READ_NEEDS: readonly PermissionNeed[] = ["issues:read", "pull_requests:read"];
const WRITE_NEEDS: readonly PermissionNeed[] = ["issues:write", "pull_requests:write"];

const Body = z.object({ body: z.string() });

/** A pull request's conversation. */
export const commentRoutes: readonly ApiRoute[] = [
  createRepositoryRoute("GET /issues/{issue_number}", READ_NEEDS, (call) =>
    ok(formatIssue(call.world, resolvePull(call, "issue_number"))),
  ),
  createRepositoryRoute("GET /issues/{issue_number}/labels", READ_NEEDS, (call) => {
    const { labels } = resolvePull(call, "issue_number");
    return buildPage(call, labels, (page) =>
      page.map((name) => formatLabel(call.world, call.repository, name)),
    );
  }),
  createRepositoryRoute("GET /issues/{issue_number}/comments", READ_NEEDS, (call) => {
    const since = Date.parse(call.query("since") ?? "1970-01-01T00:00:00Z");
    const all = call.world.comments.group(buildPullKey(resolvePull(call, "issue_number")));
    const recent = all.filter((comment) => comment.updatedAt >= since);
    return buildPage(call, recent, (page) => page.map((comment) => formatComment(call.world, comment)));
  }),
  createRepositoryRoute("POST /issues/{issue_number}/comments", WRITE_NEEDS, (call) => {
    const pull = resolvePull(call, "issue_number");
    refuseWhenLocked(pull);
    const { body } = parseCallBody(call, "IssueComment", Body);
    const spec = { body, author: call.caller.bot, appId: call.caller.app.id };
    return created(formatComment(call.world, createComment(call.world, pull, spec)));
  }),
  createRepositoryRoute("GET /issues/comments/{comment_id}", READ_NEEDS, (call) =>
    ok(formatComment(call.world, resolveComment(call))),
  ),
  createRepositoryRoute("PATCH /issues/comments/{comment_id}", WRITE_NEEDS, (call) => {
    const comment = resolveWritableComment(call);
    const { body } = parseCallBody(call, "IssueComment", Body);
    return ok(
      formatComment(call.world, updateComment(call.world, comment.id, { body, by: call.caller.bot })),
    );
  }),
  createRepositoryRoute("DELETE /issues/comments/{comment_id}", WRITE_NEEDS, (call) => {
    removeComment(call.world, resolveWritableComment(call).id, call.caller.bot);
    return noContent;
  }),
  createRepositoryRoute("GET /issues/comments/{comment_id}/reactions", READ_NEEDS, (call) => {
    const all = call.world.reactions.group(String(resolveComment(call).id));
    return buildPage(call, all, (page) => page.map((reaction) => formatReaction(call.world, reaction)));
  }),
  createRepositoryRoute("POST /issues/comments/{comment_id}/reactions", WRITE_NEEDS, (call) =>
    answerReaction(call),
  ),
];

/** Creates a reaction; returns the existing one when it is repeated. */
function answerReaction(call: RepositoryCall): ApiAnswer {
  const { world, caller } = call;
  const comment = resolveWritableComment(call);
  const { content } = parseCallBody(call, "Reaction", z.object({ content: z.enum(REACTIONS) }));
  const own = world.reactions
    .group(String(comment.id))
    .find((reaction) => reaction.userId === caller.bot.id && reaction.content === content);
  if (own !== undefined) return ok(formatReaction(world, own));
  const reaction = { commentId: comment.id, userId: caller.bot.id, content, createdAt: world.clock.now() };
  return created(formatReaction(world, world.reactions.insert({ id: world.nextId("other"), ...reaction })));
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
