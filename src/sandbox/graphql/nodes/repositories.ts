import { repositoryPage } from "../../formatters/repository.ts";
import { findPull, fullName } from "../../state/find.ts";
import { nodeId } from "../../state/node-id.ts";
import type { Repository } from "../../state/repositories.ts";
import { accountFields } from "./actors.ts";
import { commitFields } from "./commits.ts";
import { objectFields } from "./git-objects.ts";
import { queueFields } from "./merge-queue.ts";
import { pullFields } from "./pulls.ts";
import { type CallerView, type NodeFields, problem, requirePermissions } from "./view.ts";

export const repositoryFields = (view: CallerView, repository: Repository): NodeFields => ({
  __typename: "Repository",
  id: nodeId("Repository", repository.id),
  databaseId: repository.id,
  name: repository.name,
  nameWithOwner: fullName(view.world, repository),
  isPrivate: repository.visibility !== "public",
  visibility: repository.visibility.toUpperCase(),
  url: repositoryPage(view.world, repository),
  owner: () => accountFields(view.world.accounts.require(repository.ownerId)),
  defaultBranchRef: () => refFields(view, repository, repository.defaultBranch),
  ref: ({ qualifiedName }: { qualifiedName: string }) =>
    refFields(view, repository, qualifiedName.replace(/^refs\/heads\//, "")),
  object: (address: { expression?: string | null; oid?: string | null }) =>
    objectFields(view, repository, address),
  mergeQueue: ({ branch }: { branch?: string | null }) =>
    queueFields(view, repository, branch ?? repository.defaultBranch),
  pullRequest: ({ number }: { number: number }) => {
    requirePermissions(view, "pull_requests:read");
    const pull = findPull(view.world, { repositoryId: repository.id, number });
    if (pull !== null) return pullFields(view, pull);
    throw problem("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${number}.`);
  },
});

/** Returns a branch; null when the name does not exist. */
export function refFields(view: CallerView, repository: Repository, branch: string): NodeFields | null {
  requirePermissions(view, "contents:read");
  const sha = repository.branches.get(branch);
  if (sha === undefined) return null;
  return {
    id: nodeId("Ref", `${repository.id}:refs/heads/${branch}`),
    name: branch,
    prefix: "refs/heads/",
    target: () => commitFields(view, repository, sha),
  };
}
