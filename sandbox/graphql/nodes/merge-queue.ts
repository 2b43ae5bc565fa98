import { requirePull } from "../../state/find.ts";
import type { Repository } from "../../state/repositories.ts";
import { type CallerView, type NodeFields, requirePermissions } from "./caller-view.ts";
import { buildCommitFields } from "./commits.ts";
import { buildConnection, type PageArguments } from "./connection.ts";
import { buildPullFields } from "./pulls.ts";

/** Returns the queue of a branch with one entry per waiting pull request; null when nothing was ever queued. */
export function buildQueueFields(
  view: CallerView,
  repository: Repository,
  branch: string,
): NodeFields | null {
  requirePermissions(view, "merge_queues:read");
  const groups = view.world.mergeGroups.filter(
    (group) => group.repositoryId === repository.id && group.baseRef === `refs/heads/${branch}`,
  );
  if (groups.length === 0) return null;
  const entries = groups
    .filter((group) => group.destroyed === null)
    .flatMap((group) => group.numbers.map((number, index) => ({ number, sha: group.commits[index] ?? "" })))
    .map((entry, index) => ({ ...entry, position: index + 1 }));
  return {
    entries: (page: PageArguments) =>
      buildConnection(entries, { ...page, name: "entries" }, (entry) => ({
        position: entry.position,
        headCommit: () => buildCommitFields(view, repository, entry.sha),
        pullRequest: () => {
          requirePermissions(view, "pull_requests:read");
          return buildPullFields(
            view,
            requirePull(view.world, { repositoryId: repository.id, number: entry.number }),
          );
        },
      })),
  };
}
