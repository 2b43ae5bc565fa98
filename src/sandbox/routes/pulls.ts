import { type ApiAnswer, type ApiRoute, ok, type RepositoryCall } from "../api/call.ts";
import { paged } from "../api/paging.ts";
import { reviewJson } from "../formatters/comment.ts";
import { changeJson, commitJson } from "../formatters/commit.ts";
import { pullJson, pullSimpleJson } from "../formatters/pull.ts";
import { changedFiles } from "../git/diff.ts";
import { commitsBetween, mergeBase } from "../git/history.ts";
import { objectsOf } from "../state/find.ts";
import type { SandboxPull } from "../state/pulls.ts";
import { pullKey } from "../state/world.ts";
import { pullIn, repositoryRoute } from "./repository-route.ts";

/** The API's maximum number of listed files and commits of a pull request. */
const MAX_FILES = 3000;
const MAX_COMMITS = 250;

export const pullRoutes: readonly ApiRoute[] = [
  repositoryRoute("GET /pulls", ["pull_requests:read"], (call) => list(call)),
  repositoryRoute("GET /pulls/{pull_number}", ["pull_requests:read"], (call) =>
    ok(pullJson(call.world, pullIn(call, "pull_number"))),
  ),
  repositoryRoute("GET /pulls/{pull_number}/files", ["pull_requests:read"], (call) => {
    const pull = pullIn(call, "pull_number");
    const objects = objectsOf(call.world, call.repository);
    const from = mergeBase(objects, pull.baseSha, pull.headSha);
    const changes = changedFiles(objects, from, pull.headSha).slice(0, MAX_FILES);
    const at = { repository: call.repository, ref: pull.headSha };
    return paged(call, changes, (page) => page.map((change) => changeJson(call.world, at, change)));
  }),
  repositoryRoute("GET /pulls/{pull_number}/commits", ["pull_requests:read"], (call) => {
    const pull = pullIn(call, "pull_number");
    const commits = commitsBetween(objectsOf(call.world, call.repository), pull.baseSha, pull.headSha);
    return paged(call, commits.slice(0, MAX_COMMITS), (page) =>
      page.map((commit) => commitJson(call.world, call.repository, commit)),
    );
  }),
  repositoryRoute("GET /pulls/{pull_number}/reviews", ["pull_requests:read"], (call) => {
    const all = call.world.reviews.group(pullKey(pullIn(call, "pull_number")));
    return paged(call, all, (page) => page.map((review) => reviewJson(call.world, review)));
  }),
];

/** Lists pull requests, newest first or by `sort` and `direction`; filtered by `state`, `head` ("owner:branch") and `base`. */
function list(call: RepositoryCall): ApiAnswer {
  const state = call.query("state") ?? "open";
  const head = call.query("head");
  const base = call.query("base");
  const owner = (pull: SandboxPull) => call.world.accounts.require(pull.headOwnerId).login;
  const rows = call.world.pulls
    .group(String(call.repository.id))
    .filter((pull) => state === "all" || pull.state === state)
    .filter((pull) => head === null || `${owner(pull)}:${pull.headRef}` === head)
    .filter((pull) => base === null || pull.baseRef === base);
  return paged(call, sorted(call, rows), (page) => page.map((pull) => pullSimpleJson(call.world, pull)));
}

function sorted(call: RepositoryCall, rows: readonly SandboxPull[]): readonly SandboxPull[] {
  const byUpdate = call.query("sort") === "updated";
  const up =
    call.query("direction") === "asc" ||
    (call.query("direction") === null && call.query("sort") !== null && !byUpdate);
  const age = (pull: SandboxPull) => (byUpdate ? pull.updatedAt : pull.createdAt);
  const ascending = rows.toSorted((a, b) => age(a) - age(b) || a.number - b.number);
  return up ? ascending : ascending.toReversed();
}
