import { formatTime } from "../../formatters/json.ts";
import { findPull } from "../../state/find.ts";
import { buildNodeId } from "../../state/node-id.ts";
import type { Repository } from "../../state/repositories.ts";
import { buildAccountFields } from "./actors.ts";
import { type CallerView, createGraphqlError, type NodeFields, requirePermissions } from "./caller-view.ts";
import { buildCommitFields } from "./commits.ts";
import { buildConnection, type PageArguments } from "./connection.ts";
import { buildObjectFields } from "./git-objects.ts";
import { buildQueueFields } from "./merge-queue.ts";
import { buildPullFields, getPullState } from "./pulls.ts";

export const buildRepositoryFields = (view: CallerView, repository: Repository): NodeFields => ({
  __typename: "Repository",
  id: buildNodeId("Repository", repository.id),
  databaseId: repository.id,
  name: repository.name,
  updatedAt: formatTime(repository.updatedAt),
  visibility: repository.visibility.toUpperCase(),
  owner: () => buildAccountFields(view.world.accounts.require(repository.ownerId)),
  defaultBranchRef: () => buildRefFields(view, repository, repository.defaultBranch),
  ref: ({ qualifiedName }: { qualifiedName: string }) =>
    buildRefFields(view, repository, qualifiedName.replace(/^refs\/heads\//, "")),
  object: ({ oid }: { oid: string }) => buildObjectFields(view, repository, oid),
  mergeQueue: ({ branch }: { branch?: string | null }) =>
    buildQueueFields(view, repository, branch ?? repository.defaultBranch),
  pullRequest: ({ number }: { number: number }) => {
    requirePermissions(view, "pull_requests:read");
    const pull = findPull(view.world, { repositoryId: repository.id, number });
    if (pull !== null) return buildPullFields(view, pull);
    throw createGraphqlError("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${number}.`);
  },
});

/** Returns a branch; null when the name does not exist. */
export function buildRefFields(view: CallerView, repository: Repository, branch: string): NodeFields | null {
  requirePermissions(view, "contents:read");
  const sha = repository.branches.get(branch);
  if (sha === undefined) return null;
  return {
    name: branch,
    associatedPullRequests: ({ states, ...page }: PageArguments & { states?: readonly string[] | null }) =>
      buildConnection(
        view.world.pulls
          .group(String(repository.id))
          .filter((pull) => pull.headRepositoryId === repository.id && pull.headRef === branch)
          .filter((pull) => states == null || states.includes(getPullState(pull))),
        { ...page, name: "associatedPullRequests" },
        (pull) => buildPullFields(view, pull),
      ),
    target: () => buildCommitFields(view, repository, sha),
  };
}
