import { type ApiAnswer, type ApiRoute, ok, type RepositoryCall } from "../api/call.ts";
import { buildPage } from "../api/paging.ts";
import { formatReview } from "../formatters/comment.ts";
import { formatCommit, formatFileChange } from "../formatters/commit.ts";
import { formatPull, formatPullSimple } from "../formatters/pull.ts";
import { listChangedFiles } from "../git/diff.ts";
import { findMergeBase, listCommitsBetween } from "../git/history.ts";
import { getObjects } from "../state/find.ts";
import type { SandboxPull } from "../state/pulls.ts";
import { buildPullKey } from "../state/world.ts";
import { createRepositoryRoute, resolvePull } from "./repository-route.ts";

/** The API's maximum number of listed files and commits of a pull request. */
const MAX_FILES = 3000;
const MAX_COMMITS = 250;

export const pullRoutes: readonly ApiRoute[] = [
  createRepositoryRoute("GET /pulls", ["pull_requests:read"], (call) => answerPulls(call)),
  createRepositoryRoute("GET /pulls/{pull_number}", ["pull_requests:read"], (call) =>
    ok(formatPull(call.world, resolvePull(call, "pull_number"))),
  ),
  createRepositoryRoute("GET /pulls/{pull_number}/files", ["pull_requests:read"], (call) => {
    const pull = resolvePull(call, "pull_number");
    const objects = getObjects(call.world, call.repository);
    const from = findMergeBase(objects, pull.baseSha, pull.headSha);
    const changes = listChangedFiles(objects, from, pull.headSha).slice(0, MAX_FILES);
    const at = { repository: call.repository, ref: pull.headSha };
    return buildPage(call, changes, (page) => page.map((change) => formatFileChange(call.world, at, change)));
  }),
  createRepositoryRoute("GET /pulls/{pull_number}/commits", ["pull_requests:read"], (call) => {
    const pull = resolvePull(call, "pull_number");
    const commits = listCommitsBetween(getObjects(call.world, call.repository), pull.baseSha, pull.headSha);
    return buildPage(call, commits.slice(0, MAX_COMMITS), (page) =>
      page.map((commit) => formatCommit(call.world, call.repository, commit)),
    );
  }),
  createRepositoryRoute("GET /pulls/{pull_number}/reviews", ["pull_requests:read"], (call) => {
    const all = call.world.reviews.group(buildPullKey(resolvePull(call, "pull_number")));
    return buildPage(call, all, (page) => page.map((review) => formatReview(call.world, review)));
  }),
];

/** Lists pull requests, newest first or by `sort` and `direction`; filtered by `state`, `head` ("owner:branch") and `base`. */
function answerPulls(call: RepositoryCall): ApiAnswer {
  const state = call.query("state") ?? "open";
  const head = call.query("head");
  const base = call.query("base");
  const owner = (pull: SandboxPull) => call.world.accounts.require(pull.headOwnerId).login;
  const rows = call.world.pulls
    .group(String(call.repository.id))
    .filter((pull) => state === "all" || pull.state === state)
    .filter((pull) => head === null || `${owner(pull)}:${pull.headRef}` === head)
    .filter((pull) => base === null || pull.baseRef === base);
  return buildPage(call, sortPulls(call, rows), (page) =>
    page.map((pull) => formatPullSimple(call.world, pull)),
  );
}

function sortPulls(call: RepositoryCall, rows: readonly SandboxPull[]): readonly SandboxPull[] {
  const byUpdate = call.query("sort") === "updated";
  const up =
    call.query("direction") === "asc" ||
    (call.query("direction") === null && call.query("sort") !== null && !byUpdate);
  const age = (pull: SandboxPull) => (byUpdate ? pull.updatedAt : pull.createdAt);
  const ascending = rows.toSorted((a, b) => age(a) - age(b) || a.number - b.number);
  return up ? ascending : ascending.toReversed();
}
