import type { JobDeps } from "./deps.ts";
import { runGroup } from "./group/run-group.ts";
import { runPull } from "./lane/run-pull.ts";
import { parseLaneKey } from "./lane-key.ts";
import type { Attempt } from "./queue/queue.ts";

/** Runs whatever the lane works for; throws to be tried again. */
export async function runLane(deps: JobDeps, lane: string, attempt: Attempt): Promise<void> {
  const subject = parseLaneKey(lane);
  if (subject === null) {
    deps.log.error({ lane }, "a lane has an unknown name");
    return;
  }
  try {
    await (subject.kind === "pull" ? runPull(deps, subject, attempt) : runGroup(deps, subject, attempt));
  } catch (error) {
    deps.log.warn({ lane, attempt: attempt.attempt, error: String(error) }, "a lane run failed");
    throw error;
  }
}
