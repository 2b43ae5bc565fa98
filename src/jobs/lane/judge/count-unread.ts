import type { HeadState } from "../../../github/head/head-state.ts";
import type { PullFacts } from "../../../report/pull-facts.ts";
import { countAttempt, type ReadAttempts } from "../../../store/read-attempts.ts";
import type { PullRun } from "../pull-run.ts";
import { mayStillBeRead } from "./situation.ts";

/** Each read of an ended execution that left something open counts as a try. */
export async function countUnread(
  run: PullRun,
  head: HeadState,
  facts: PullFacts,
): Promise<ReadonlyMap<string, ReadAttempts>> {
  const { deps } = run;
  const made = new Map<string, ReadAttempts>();
  for (const { org, project, executionId } of facts.stages.filter(mayStillBeRead)) {
    if (made.has(executionId)) continue;
    const key = { repositoryId: head.repository.id, headSha: head.pull.headSha, org, project, executionId };
    made.set(executionId, await countAttempt(deps.db, key, new Date(deps.clock.now())));
  }
  return made;
}
