import { readCommit } from "../git/objects.ts";
import type { Status } from "../state/checks.ts";
import { objectsOf } from "../state/find.ts";
import { nodeId } from "../state/node-id.ts";
import type { Repository } from "../state/repositories.ts";
import { commitKey, type World } from "../state/world.ts";
import { accountById, accountJson } from "./account.ts";
import { commitJson } from "./commit.ts";
import { type JsonObject, time } from "./json.ts";
import { repositoryApi, repositoryJson } from "./repository.ts";

export const statusJson = (world: World, status: Status): JsonObject => ({
  ...statusSimpleJson(world, status),
  creator: accountById(world, status.creatorId),
});

function statusSimpleJson(world: World, status: Status): JsonObject {
  const repository = world.repositories.require(status.repositoryId);
  return {
    url: `${repositoryApi(world, repository)}/statuses/${status.sha}`,
    avatar_url: `${world.origin()}/-/avatars/${status.creatorId}.svg`,
    id: status.id,
    node_id: nodeId("StatusContext", status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: time(status.createdAt),
    updated_at: time(status.createdAt),
  };
}

/** Returns the newest status of each context. */
export const newestStatuses = (
  world: World,
  at: { repositoryId: number; sha: string },
): readonly Status[] => [
  ...new Map(world.statuses.group(commitKey(at)).map((status) => [status.context, status])).values(),
];

/** Returns failure if any failed, pending if any is pending or none exists, else success. */
export function combinedState(statuses: readonly Status[]): "failure" | "pending" | "success" {
  if (statuses.some((status) => status.state === "failure" || status.state === "error")) return "failure";
  if (statuses.length === 0 || statuses.some((status) => status.state === "pending")) return "pending";
  return "success";
}

export function combinedJson(
  world: World,
  at: { repository: Repository; sha: string },
  page: readonly Status[],
): JsonObject {
  const all = newestStatuses(world, { repositoryId: at.repository.id, sha: at.sha });
  const api = repositoryApi(world, at.repository);
  return {
    state: combinedState(all),
    statuses: page.map((status) => statusSimpleJson(world, status)),
    sha: at.sha,
    total_count: all.length,
    repository: repositoryJson(world, at.repository),
    commit_url: `${api}/commits/${at.sha}`,
    url: `${api}/commits/${at.sha}/status`,
  };
}

/** Formats a status for its delivery. */
export function statusEventJson(world: World, status: Status): JsonObject {
  const repository = world.repositories.require(status.repositoryId);
  const commit = readCommit(objectsOf(world, repository), status.sha);
  const branches = [...repository.branches].filter(([, sha]) => sha === status.sha).slice(0, 10);
  const api = repositoryApi(world, repository);
  return {
    id: status.id,
    sha: status.sha,
    name: api.split("/repos/")[1],
    target_url: status.targetUrl,
    avatar_url: accountJson(world, world.accounts.require(status.creatorId))["avatar_url"],
    context: status.context,
    description: status.description,
    state: status.state,
    commit: commit === null ? null : commitJson(world, repository, commit),
    branches: branches.map(([name, sha]) => ({
      name,
      commit: { sha, url: `${api}/commits/${sha}` },
      protected: false,
    })),
    created_at: time(status.createdAt),
    updated_at: time(status.createdAt),
  };
}
