import {
  type ApiAnswer,
  type ApiRoute,
  answerList,
  formatTimeOrNull,
  type JsonObject,
  notFound,
  ok,
  parseId,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import { isAncestor, listPullChanges } from "../state/git.ts";
import type { Account, SandboxPull } from "../state/records.ts";
import { findPull, getObjects, type World } from "../state/world.ts";
import { formatAccount, formatTeam } from "./accounts.ts";
import { formatFileChange, resolveCommit } from "./commits.ts";
import { findStack, findTestMerge } from "./merge-rule.ts";
import { deliverEvent } from "./repositories.ts";

/** The API's maximum number of listed files of a pull request. */
export const MAX_FILES = 3000;

/** Pull requests. */
export const pullRoutes: readonly ApiRoute[] = [
  route.repository("GET /pulls", ["pull_requests:read"], answerPulls),
  route.repository("GET /pulls/{pull_number}", ["pull_requests:read"], (call) =>
    ok(formatPull(call.world, resolvePull(call, "pull_number"))),
  ),
  route.repository("GET /pulls/{pull_number}/files", ["pull_requests:read"], (call) => {
    const pull = resolvePull(call, "pull_number");
    const changes = listPullChanges(getObjects(call.world, call.repository), pull).slice(0, MAX_FILES);
    const at = { repository: call.repository, ref: pull.headSha };
    return answerList(call, changes, (world, change) => formatFileChange(world, at, change));
  }),
  route.repository("GET /commits/{commit_sha}/pulls", ["pull_requests:read"], (call) => {
    const sha = resolveCommit(call, "commit_sha");
    const pulls = call.world.pulls.group(String(call.repository.id));
    const found = pulls.filter((pull) => hasCommit(call, pull, sha));
    return answerList(call, found, formatPull);
  }),
];

export function resolvePull(call: RepositoryCall, name: "pull_number" | "issue_number"): SandboxPull {
  const pull = findPull(call.world, { repositoryId: call.repository.id, number: parseId(call, name) });
  if (pull === null) throw notFound();
  return pull;
}

/** Lists pull requests, oldest first with `direction=asc`, else newest first; filtered by `state`, `head` ("owner:branch") and `base`. */
function answerPulls(call: RepositoryCall): ApiAnswer {
  const state = call.query("state") ?? "open";
  const [head, base] = [call.query("head"), call.query("base")];
  const owner = (pull: SandboxPull) => call.world.accounts.require(pull.headOwnerId).login;
  const rows = call.world.pulls
    .group(String(call.repository.id))
    .filter((pull) => state === "all" || pull.state === state)
    .filter((pull) => head === null || `${owner(pull)}:${pull.headRef}` === head)
    .filter((pull) => base === null || pull.baseRef === base);
  return answerList(call, call.query("direction") === "asc" ? rows : rows.toReversed(), formatPull);
}

/** GitHub finds a pull request by its commits only when they came from the repository itself, and merged ones by their merge commit. */
function hasCommit({ world, repository }: RepositoryCall, pull: SandboxPull, sha: string): boolean {
  if (pull.mergeCommitSha === sha) return true;
  if (pull.headRepositoryId !== repository.id) return false;
  const objects = getObjects(world, repository);
  return isAncestor(objects, sha, pull.headSha) && !isAncestor(objects, sha, pull.baseSha);
}

/** Sends `pull_request` with an action; returns the pull request for chaining. */
export function emitPullEvent(
  world: World,
  pull: SandboxPull,
  { action, by, extra }: { action: string; by: Account; extra?: JsonObject },
): SandboxPull {
  deliverEvent(world, {
    event: "pull_request",
    action,
    repository: world.repositories.require(pull.repositoryId),
    senderId: by.id,
    payload: { number: pull.number, pull_request: formatPull(world, pull), ...extra },
  });
  return pull;
}

/** Formats a pull request for lists, for its own endpoint and for deliveries. */
export function formatPull(world: World, pull: SandboxPull): JsonObject {
  const { title, state, draft, locked, mergeCommitSha } = pull;
  return {
    ...{ title, state, draft, locked },
    user: formatAccount(world, pull.authorId),
    merged_at: formatTimeOrNull(pull.mergedAt),
    merge_commit_sha: mergeCommitSha ?? (state === "open" ? findTestMerge(world, pull) : null),
    ...formatReviewers(world, pull),
    ...formatPullPlace(pull),
    stack: formatStackPlace(world, pull),
  };
}

/** Formats which pull request it is, and between which branches: all that checks state of it. */
export const formatPullPlace = (pull: SandboxPull) => ({
  number: pull.number,
  head: { ref: pull.headRef, sha: pull.headSha, repo: { id: pull.headRepositoryId } },
  base: { ref: pull.baseRef, sha: pull.baseSha, repo: { id: pull.repositoryId } },
});

/** Formats where a pull request is in its stack; null: it is in none. */
function formatStackPlace(world: World, pull: SandboxPull): JsonObject | null {
  const stack = findStack(world, pull);
  if (stack === null) return null;
  const { number, pulls, trunk: ref } = stack;
  return { number, position: 1 + pulls.indexOf(pull.number), base: { ref } };
}

/** Formats those whose review is requested. */
export const formatReviewers = (world: World, pull: SandboxPull) => ({
  requested_reviewers: pull.reviewerIds.map((id) => formatAccount(world, id)),
  requested_teams: pull.reviewerTeamIds.map((id) => formatTeam(world, world.teams.require(id))),
});
