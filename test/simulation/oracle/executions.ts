import type { SandboxPull } from "../../../sandbox/state/records.ts";
import { REPOSITORY } from "../places.ts";
import type { PlatformExecution } from "../simulated-platform.ts";
import type { Story } from "../story.ts";

/** The executions that count for a pull request or a merge group: of each workspace the newest that the CI named on its head. */
export const executionsOf = (
  story: Story,
  { headSha }: Pick<SandboxPull, "headSha">,
): readonly PlatformExecution[] => newestOf(namedOn(story, headSha, "ci"));

/** Dollars a month more; executions without a cost count nothing here. */
export const sumOf = (executions: readonly PlatformExecution[]): number =>
  executions.reduce((total, { change }) => total + (change ?? 0), 0);

/** Whether somebody who is not trusted names an execution of a workspace that the CI does not name. */
export function hasUnproven(story: Story, pull: SandboxPull): boolean {
  const known = new Set(executionsOf(story, pull).map(({ workspace }) => workspace));
  return namedOn(story, pull.headSha, "anybody").some(({ workspace }) => !known.has(workspace));
}

/** The executions that were named on the commit: by the CI at any time, by others in the last status of a context. */
function namedOn(story: Story, sha: string, by: "ci" | "anybody"): readonly PlatformExecution[] {
  const newestFirst = story.github.verbs.statuses({ repository: REPOSITORY, sha });
  const shown = new Map(newestFirst.toReversed().map((status) => [status.context, status.id]));
  const named = newestFirst.flatMap(({ id, context, targetUrl, creatorId }) =>
    creatorId === story.ciId || (by === "anybody" && shown.get(context) === id)
      ? (/executions\/([^/]+)\//.exec(targetUrl ?? "")?.[1] ?? [])
      : [],
  );
  return [...new Set(named)].flatMap((id) => story.platform.executions.get(id) ?? []);
}

function newestOf(executions: readonly PlatformExecution[]): readonly PlatformExecution[] {
  const groups = Map.groupBy(executions, ({ workspace }) => workspace);
  return [...groups.values()].flatMap((group) =>
    group.toSorted((a, b) => b.createdMs - a.createdMs).slice(0, 1),
  );
}
