import {
  type ApiRoute,
  answerList,
  formatTime,
  invalid,
  type JsonObject,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import { readCommit } from "../state/git.ts";
import type { Repository, Status, StatusState } from "../state/records.ts";
import {
  buildCommitKey,
  buildNodeId,
  getFullName,
  getObjects,
  requireRepository,
  resolveActor,
  type World,
} from "../state/world.ts";
import { formatAccountById, getAvatarUrl } from "./accounts.ts";
import { formatCommit, resolveCommit } from "./commits.ts";
import { deliverEvent, formatRepository, getRepositoryApiUrl } from "./repositories.ts";

export interface NewStatus {
  readonly repository: string;
  readonly sha: string;
  readonly context: string;
  readonly state: StatusState;
  readonly targetUrl?: string | null;
  readonly description?: string | null;
  /** Login of a user or bot; default the repository's owner or the organisation's first admin. */
  readonly creator?: string;
}

/** GitHub keeps this many statuses of one context on one commit, then refuses more. */
const MAX_STATUSES = 1000;

/** Statuses of commits. */
export const createStatusVerbs = (world: World) => ({
  /** Sends `status`. */
  postStatus: (spec: NewStatus): Status => {
    const repository = requireRepository(world, spec.repository);
    const { sha, context, state, description = null, targetUrl = null } = spec;
    const at = { repositoryId: repository.id, sha };
    const same = world.statuses.group(buildCommitKey(at)).filter((status) => status.context === context);
    if (same.length >= MAX_STATUSES) {
      const message = "This SHA and context has reached the maximum number of statuses.";
      throw invalid({ resource: "Status", code: "custom", message });
    }
    const creatorId = resolveActor(world, repository, spec.creator).id;
    const stamp = { id: world.nextId("status"), createdAt: world.clock.now() };
    const status = world.statuses.insert({
      ...at,
      ...stamp,
      context,
      state,
      description,
      targetUrl,
      creatorId,
    });
    const payload = formatStatusEvent(world, repository, status);
    deliverEvent(world, { event: "status", action: null, repository, senderId: creatorId, payload });
    return status;
  },
  /** All statuses of a commit, newest first. */
  statuses: ({ repository, sha }: { repository: string; sha: string }): readonly Status[] => {
    const { id: repositoryId } = requireRepository(world, repository);
    return world.statuses.group(buildCommitKey({ repositoryId, sha })).toReversed();
  },
});

/** Statuses of a commit: all, and the newest of each context. */
export const statusRoutes: readonly ApiRoute[] = [
  route.repository("GET /commits/{ref}/statuses", ["statuses:read"], (call) => {
    const all = call.world.statuses.group(buildCommitKey(resolveAddress(call)));
    return answerList(call, all.toReversed(), (world, status) => ({
      ...formatStatus(world, status),
      creator: formatAccountById(world, status.creatorId),
    }));
  }),
  route.repository("GET /commits/{ref}/status", ["statuses:read"], (call) => {
    const { world, repository } = call;
    const at = resolveAddress(call);
    const all = selectNewestStatuses(world, at);
    const commit_url = `${getRepositoryApiUrl(world, repository)}/commits/${at.sha}`;
    return answerList(call, all, formatStatus, (statuses) => ({
      state: deriveCombinedState(all),
      statuses,
      sha: at.sha,
      total_count: all.length,
      repository: formatRepository(world, repository),
      commit_url,
      url: `${commit_url}/status`,
    }));
  }),
];

const resolveAddress = (call: RepositoryCall) => ({
  repositoryId: call.repository.id,
  sha: resolveCommit(call, "ref"),
});

/** Returns the newest status of each context. */
export const selectNewestStatuses = (
  world: World,
  at: { repositoryId: number; sha: string },
): readonly Status[] => [
  ...new Map(world.statuses.group(buildCommitKey(at)).map((status) => [status.context, status])).values(),
];

/** Returns failure if any failed, pending if any is pending or none exists, else success. */
function deriveCombinedState(statuses: readonly Status[]): "failure" | "pending" | "success" {
  if (statuses.some(({ state }) => state === "failure" || state === "error")) return "failure";
  return statuses.length === 0 || statuses.some(({ state }) => state === "pending") ? "pending" : "success";
}

function formatStatus(world: World, status: Status): JsonObject {
  const repository = world.repositories.require(status.repositoryId);
  return {
    ...formatCore(world, status),
    url: `${getRepositoryApiUrl(world, repository)}/statuses/${status.sha}`,
    node_id: buildNodeId("StatusContext", status.id),
  };
}

const formatCore = (world: World, status: Status): JsonObject => ({
  id: status.id,
  avatar_url: getAvatarUrl(world, status.creatorId),
  state: status.state,
  description: status.description,
  target_url: status.targetUrl,
  context: status.context,
  created_at: formatTime(status.createdAt),
  updated_at: formatTime(status.createdAt),
});

function formatStatusEvent(world: World, repository: Repository, status: Status): JsonObject {
  const commit = readCommit(getObjects(world, repository), status.sha);
  const branches = [...repository.branches].filter(([, sha]) => sha === status.sha).slice(0, 10);
  const api = getRepositoryApiUrl(world, repository);
  return {
    ...formatCore(world, status),
    sha: status.sha,
    name: getFullName(world, repository),
    commit: commit === null ? null : formatCommit(world, repository, commit),
    branches: branches.map(([name, sha]) => ({
      name,
      commit: { sha, url: `${api}/commits/${sha}` },
      protected: false,
    })),
  };
}
