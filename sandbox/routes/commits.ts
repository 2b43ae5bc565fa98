import { z } from "zod";
import { createStatus } from "../actions/checks.ts";
import { parseCallBody } from "../api/body.ts";
import { type ApiAnswer, type ApiRoute, created, ok, type RepositoryCall } from "../api/call.ts";
import { buildPage } from "../api/paging.ts";
import { formatCommit, formatFileChange, formatFullCommit } from "../formatters/commit.ts";
import { formatPullSimple } from "../formatters/pull.ts";
import { getRepositoryApiUrl, getRepositoryUrl } from "../formatters/repository.ts";
import { formatCombinedStatus, formatStatus, selectNewestStatuses } from "../formatters/status.ts";
import { listChangedFiles } from "../git/diff.ts";
import { collectAncestors, findMergeBase, listCommitsBetween } from "../git/history.ts";
import { readCommit } from "../git/objects.ts";
import { getObjects, resolveRef } from "../state/find.ts";
import type { SandboxPull } from "../state/pulls.ts";
import { notFound } from "../state/refusal.ts";
import { buildCommitKey } from "../state/world.ts";
import { createRepositoryRoute, requireCommit, resolveCommit } from "./repository-route.ts";

/** Commits with their pull requests and statuses. The route of a bare `{ref}` is last: a ref may contain slashes. */
export const commitRoutes: readonly ApiRoute[] = [
  createRepositoryRoute("GET /commits", ["contents:read"], (call) => answerHistory(call)),
  createRepositoryRoute("GET /commits/{commit_sha}/pulls", ["pull_requests:read"], (call) => {
    const sha = resolveCommit(call, "commit_sha");
    const pulls = call.world.pulls
      .group(String(call.repository.id))
      .filter((pull) => hasCommit(call, pull, sha));
    return buildPage(call, pulls, (page) => page.map((pull) => formatPullSimple(call.world, pull)));
  }),
  createRepositoryRoute("GET /commits/{ref}/statuses", ["statuses:read"], (call) => {
    const at = { repositoryId: call.repository.id, sha: resolveCommit(call, "ref") };
    const all = call.world.statuses.group(buildCommitKey(at)).toReversed();
    return buildPage(call, all, (page) => page.map((status) => formatStatus(call.world, status)));
  }),
  createRepositoryRoute("GET /commits/{ref}/status", ["statuses:read"], (call) => {
    const sha = resolveCommit(call, "ref");
    const all = selectNewestStatuses(call.world, { repositoryId: call.repository.id, sha });
    return buildPage(call, all, (page) =>
      formatCombinedStatus(call.world, { repository: call.repository, sha }, page),
    );
  }),
  createRepositoryRoute("GET /compare/{basehead}", ["contents:read"], (call) => answerComparison(call)),
  createRepositoryRoute("POST /statuses/{sha}", ["statuses:write"], (call) => answerPostStatus(call)),
];

export const bareCommitRoute = createRepositoryRoute("GET /commits/{ref}", ["contents:read"], (call) => {
  const commit = readCommit(getObjects(call.world, call.repository), resolveCommit(call, "ref"));
  if (commit === null) throw notFound();
  return ok(formatFullCommit(call.world, call.repository, commit));
});

function answerHistory(call: RepositoryCall): ApiAnswer {
  const objects = getObjects(call.world, call.repository);
  const tip = resolveRef(call.world, call.repository, call.query("sha") ?? call.repository.defaultBranch);
  if (tip === null) throw notFound();
  const commits = [...collectAncestors(objects, tip).values()];
  return buildPage(call, commits, (page) =>
    page.map((commit) => formatCommit(call.world, call.repository, commit)),
  );
}

const COMPARISON_STATUSES = {
  "true,true": "diverged",
  "true,false": "ahead",
  "false,true": "behind",
  "false,false": "identical",
} as const;

/** GitHub compares with the merge base, and lists 300 files. */
function answerComparison(call: RepositoryCall): ApiAnswer {
  const { world, repository } = call;
  const objects = getObjects(world, repository);
  const [base = null, head = null] = (call.path["basehead"] ?? "")
    .split("...")
    .map((ref) => resolveRef(world, repository, ref));
  const common = base === null || head === null ? null : findMergeBase(objects, base, head);
  const commit = common === null ? null : readCommit(objects, common);
  const baseCommit = base === null ? null : readCommit(objects, base);
  if (base === null || head === null || commit === null || baseCommit === null) throw notFound();
  const commits = listCommitsBetween(objects, base, head);
  const ahead = commits.length;
  const behind = listCommitsBetween(objects, head, base).length;
  const files = listChangedFiles(objects, commit.sha, head).slice(0, 300);
  const path = `compare/${base}...${head}`;
  const page = `${getRepositoryUrl(world, repository)}/${path}`;
  return ok({
    url: `${getRepositoryApiUrl(world, repository)}/${path}`,
    html_url: page,
    permalink_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    status: COMPARISON_STATUSES[`${ahead > 0},${behind > 0}`],
    ahead_by: ahead,
    behind_by: behind,
    total_commits: ahead,
    base_commit: formatCommit(world, repository, baseCommit),
    merge_base_commit: formatCommit(world, repository, commit),
    commits: commits
      .slice(0, Number(call.query("per_page") ?? 250))
      .map((each) => formatCommit(world, repository, each)),
    files: files.map((change) => formatFileChange(world, { repository, ref: head }, change)),
  });
}

/** GitHub finds a pull request by its commits only when they came from the repository itself, and merged ones by their merge commit. */
function hasCommit(call: RepositoryCall, pull: SandboxPull, sha: string): boolean {
  if (pull.mergeCommitSha === sha) return true;
  if (pull.headRepositoryId !== call.repository.id) return false;
  const objects = getObjects(call.world, call.repository);
  return (
    collectAncestors(objects, pull.headSha).has(sha) && !collectAncestors(objects, pull.baseSha).has(sha)
  );
}

const StatusBody = z.object({
  state: z.enum(["error", "failure", "pending", "success"]),
  target_url: z.string().nullish(),
  description: z.string().max(140).nullish(),
  context: z.string().default("default"),
});

function answerPostStatus(call: RepositoryCall): ApiAnswer {
  const sha = call.path["sha"] ?? "";
  requireCommit(call, sha);
  const body = parseCallBody(call, "Status", StatusBody);
  const status = createStatus(call.world, {
    repositoryId: call.repository.id,
    sha,
    context: body.context,
    state: body.state,
    description: body.description ?? null,
    targetUrl: body.target_url ?? null,
    creatorId: call.caller.bot.id,
  });
  return created(formatStatus(call.world, status));
}
