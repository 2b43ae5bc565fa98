import { z } from "zod";
import { createStatus } from "../actions/checks.ts";
import { bodyOf } from "../api/body.ts";
import { type ApiAnswer, type ApiRoute, created, ok, type RepositoryCall } from "../api/call.ts";
import { paged } from "../api/paging.ts";
import { commitAloneJson, commitJson } from "../formatters/commit.ts";
import { pullSimpleJson } from "../formatters/pull.ts";
import { combinedJson, newestStatuses, statusJson } from "../formatters/status.ts";
import { ancestors } from "../git/history.ts";
import { readCommit } from "../git/objects.ts";
import { objectsOf, resolveRef } from "../state/find.ts";
import type { SandboxPull } from "../state/pulls.ts";
import { notFound } from "../state/refusal.ts";
import { commitKey } from "../state/world.ts";
import { commitIn, repositoryRoute, requireCommit } from "./repository-route.ts";

/** Commits with their pull requests and statuses. The route of a bare `{ref}` is last: a ref may contain slashes. */
export const commitRoutes: readonly ApiRoute[] = [
  repositoryRoute("GET /commits", ["contents:read"], (call) => history(call)),
  repositoryRoute("GET /commits/{commit_sha}/pulls", ["pull_requests:read"], (call) => {
    const sha = commitIn(call, "commit_sha");
    const pulls = call.world.pulls.group(String(call.repository.id)).filter((pull) => has(call, pull, sha));
    return paged(call, pulls, (page) => page.map((pull) => pullSimpleJson(call.world, pull)));
  }),
  repositoryRoute("GET /commits/{ref}/statuses", ["statuses:read"], (call) => {
    const at = { repositoryId: call.repository.id, sha: commitIn(call, "ref") };
    const all = call.world.statuses.group(commitKey(at)).toReversed();
    return paged(call, all, (page) => page.map((status) => statusJson(call.world, status)));
  }),
  repositoryRoute("GET /commits/{ref}/status", ["statuses:read"], (call) => {
    const sha = commitIn(call, "ref");
    const all = newestStatuses(call.world, { repositoryId: call.repository.id, sha });
    return paged(call, all, (page) => combinedJson(call.world, { repository: call.repository, sha }, page));
  }),
  repositoryRoute("POST /statuses/{sha}", ["statuses:write"], (call) => postStatus(call)),
];

export const bareCommitRoute = repositoryRoute("GET /commits/{ref}", ["contents:read"], (call) => {
  const commit = readCommit(objectsOf(call.world, call.repository), commitIn(call, "ref"));
  if (commit === null) throw notFound();
  return ok(commitAloneJson(call.world, call.repository, commit));
});

function history(call: RepositoryCall): ApiAnswer {
  const objects = objectsOf(call.world, call.repository);
  const tip = resolveRef(call.world, call.repository, call.query("sha") ?? call.repository.defaultBranch);
  if (tip === null) throw notFound();
  const commits = [...ancestors(objects, tip).values()];
  return paged(call, commits, (page) =>
    page.map((commit) => commitJson(call.world, call.repository, commit)),
  );
}

/** GitHub finds a pull request by its commits only when they came from the repository itself, and merged ones by their merge commit. */
function has(call: RepositoryCall, pull: SandboxPull, sha: string): boolean {
  if (pull.mergeCommitSha === sha) return true;
  if (pull.headRepositoryId !== call.repository.id) return false;
  const objects = objectsOf(call.world, call.repository);
  return ancestors(objects, pull.headSha).has(sha) && !ancestors(objects, pull.baseSha).has(sha);
}

const StatusBody = z.object({
  state: z.enum(["error", "failure", "pending", "success"]),
  target_url: z.string().nullish(),
  description: z.string().max(140).nullish(),
  context: z.string().default("default"),
});

function postStatus(call: RepositoryCall): ApiAnswer {
  const sha = call.path["sha"] ?? "";
  requireCommit(call, sha);
  const body = bodyOf(call, "Status", StatusBody);
  const status = createStatus(call.world, {
    repositoryId: call.repository.id,
    sha,
    context: body.context,
    state: body.state,
    description: body.description ?? null,
    targetUrl: body.target_url ?? null,
    creatorId: call.caller.bot.id,
  });
  return created(statusJson(call.world, status));
}
