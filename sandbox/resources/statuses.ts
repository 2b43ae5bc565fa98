import {
  type ApiRoute,
  answerList,
  invalid,
  type JsonObject,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import type { Status, StatusState } from "../state/records.ts";
import { buildCommitKey, requireRepository, resolveActor, type World } from "../state/world.ts";
import { formatAccount } from "./accounts.ts";
import { resolveCommit } from "./commits.ts";
import { deliverEvent } from "./repositories.ts";

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
    const status = world.statuses.insert({
      ...{ id: world.nextId("status"), ...at, context, state, description, targetUrl, creatorId },
    });
    const payload = { ...formatStatus(world, status), sha };
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
      creator: formatAccount(world, status.creatorId),
    }));
  }),
  route.repository("GET /commits/{ref}/status", ["statuses:read"], (call) => {
    const all = selectNewestStatuses(call.world, resolveAddress(call));
    return answerList(call, all, formatStatus, (statuses) => ({ total_count: all.length, statuses }));
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

const formatStatus = (_world: World, { context, state, targetUrl, description }: Status): JsonObject => ({
  ...{ context, state, target_url: targetUrl, description },
});
