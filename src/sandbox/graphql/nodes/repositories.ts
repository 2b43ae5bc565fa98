import { findPull } from "../../state/find.ts";
import type { Repository } from "../../state/repositories.ts";
import { accountFields } from "./actors.ts";
import { commitFields } from "./commits.ts";
import { objectFields } from "./git-objects.ts";
import { queueFields } from "./merge-queue.ts";
import { pullFields } from "./pulls.ts";
import { type CallerView, type NodeFields, problem, requirePermissions } from "./view.ts";

export const repositoryFields = (view: CallerView, repository: Repository): NodeFields => ({
  __typename: "Repository",
  databaseId: repository.id,
  name: repository.name,
  visibility: repository.visibility.toUpperCase(),
  owner: () => accountFields(view.world.accounts.require(repository.ownerId)),
  defaultBranchRef: () => refFields(view, repository, repository.defaultBranch),
  ref: ({ qualifiedName }: { qualifiedName: string }) =>
    refFields(view, repository, qualifiedName.replace(/^refs\/heads\//, "")),
  object: ({ oid }: { oid: string }) => objectFields(view, repository, oid),
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
    name: branch,
    target: () => commitFields(view, repository, sha),
  };
}
