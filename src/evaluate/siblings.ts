import { enqueueLane } from "../queue/enqueue.ts";
import { listOpenCommitPulls } from "../store/pulls.ts";
import type { PullRun } from "./run/pull-run.ts";

/** Enqueues the other open pull requests with these heads: their checks depend on this one, or wait for its evaluation. */
export async function enqueueSiblings({ deps, key }: PullRun, heads: ReadonlySet<string>): Promise<void> {
  const { repositoryId } = key;
  for (const sha of heads) {
    for (const { number } of await listOpenCommitPulls(deps.db, repositoryId, sha))
      if (number !== key.number) await enqueueLane(deps, { kind: "pull", repositoryId, number });
  }
}
