import { readCommit } from "../git/objects.ts";
import type { Status } from "../state/checks.ts";
import { getObjects } from "../state/find.ts";
import { buildNodeId } from "../state/node-id.ts";
import type { Repository } from "../state/repositories.ts";
import { buildCommitKey, type World } from "../state/world.ts";
import { formatAccount, formatAccountById } from "./account.ts";
import { formatCommit } from "./commit.ts";
import { formatTime, type JsonObject } from "./json.ts";
import { formatRepository, getRepositoryApiUrl } from "./repository.ts";

export const formatStatus = (world: World, status: Status): JsonObject => ({
  ...formatStatusSimple(world, status),
  creator: formatAccountById(world, status.creatorId),
});

function formatStatusSimple(world: World, status: Status): JsonObject {
  const repository = world.repositories.require(status.repositoryId);
  return {
    url: `${getRepositoryApiUrl(world, repository)}/statuses/${status.sha}`,
    avatar_url: `${world.origin()}/-/avatars/${status.creatorId}.svg`,
    id: status.id,
    node_id: buildNodeId("StatusContext", status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: formatTime(status.createdAt),
    updated_at: formatTime(status.createdAt),
  };
}

/** Returns the newest status of each context. */
export const selectNewestStatuses = (
  world: World,
  at: { repositoryId: number; sha: string },
): readonly Status[] => [
  ...new Map(world.statuses.group(buildCommitKey(at)).map((status) => [status.context, status])).values(),
];

/** Returns failure if any failed, pending if any is pending or none exists, else success. */
export function deriveCombinedState(statuses: readonly Status[]): "failure" | "pending" | "success" {
  if (statuses.some((status) => status.state === "failure" || status.state === "error")) return "failure";
  if (statuses.length === 0 || statuses.some((status) => status.state === "pending")) return "pending";
  return "success";
}

export function formatCombinedStatus(
  world: World,
  at: { repository: Repository; sha: string },
  page: readonly Status[],
): JsonObject {
  const all = selectNewestStatuses(world, { repositoryId: at.repository.id, sha: at.sha });
  const api = getRepositoryApiUrl(world, at.repository);
  return {
    state: deriveCombinedState(all),
    statuses: page.map((status) => formatStatusSimple(world, status)),
    sha: at.sha,
    total_count: all.length,
    repository: formatRepository(world, at.repository),
    commit_url: `${api}/commits/${at.sha}`,
    url: `${api}/commits/${at.sha}/status`,
  };
}

/** Formats a status for its delivery. */
export function formatStatusEvent(world: World, status: Status): JsonObject {
  const repository = world.repositories.require(status.repositoryId);
  const commit = readCommit(getObjects(world, repository), status.sha);
  const branches = [...repository.branches].filter(([, sha]) => sha === status.sha).slice(0, 10);
  const api = getRepositoryApiUrl(world, repository);
  return {
    id: status.id,
    sha: status.sha,
    name: api.split("/repos/")[1],
    target_url: status.targetUrl,
    avatar_url: formatAccount(world, world.accounts.require(status.creatorId))["avatar_url"],
    context: status.context,
    description: status.description,
    state: status.state,
    commit: commit === null ? null : formatCommit(world, repository, commit),
    branches: branches.map(([name, sha]) => ({
      name,
      commit: { sha, url: `${api}/commits/${sha}` },
      protected: false,
    })),
    created_at: formatTime(status.createdAt),
    updated_at: formatTime(status.createdAt),
  };
}
