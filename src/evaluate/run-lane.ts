import { type LaneSubject, parseLaneKey } from "../queue/lane-key.ts";
import type { Attempt } from "../queue/workers.ts";
import { enterLane, type Fence } from "../store/database/lanes.ts";
import { runGroup } from "./merge-queue/run-group.ts";
import { publishOwnError } from "./own-error.ts";
import type { JobDeps } from "./run/deps.ts";
import { runPull } from "./run-pull.ts";

/** After so many failed tries the check says so; the lane goes on trying. */
const TRIES_BEFORE_TELLING = 3;

/** Runs whatever the lane works for; throws to be tried again. */
export async function runLane(deps: JobDeps, lane: string, attempt: Attempt): Promise<void> {
  const subject = parseLaneKey(lane);
  if (subject === null) {
    deps.log.error({ lane }, "a lane has an unknown name");
    return;
  }
  const fence = await enterLane(deps.db, lane, new Date(deps.clock.now()));
  try {
    if (subject.kind === "pull") await runPull(deps, { key: subject, fence }, attempt);
    else await runGroup(deps, { key: subject, fence }, attempt);
  } catch (error) {
    deps.log.warn({ lane, attempt: attempt.attempt, error }, "a lane run failed");
    if (attempt.attempt >= TRIES_BEFORE_TELLING) await tell(deps, { subject, fence });
    throw error;
  }
}

/** That telling fails too must not hide the first failure. */
async function tell(
  deps: JobDeps,
  { subject, fence }: { readonly subject: LaneSubject; readonly fence: Fence },
): Promise<void> {
  if (subject.kind !== "pull") return;
  try {
    await publishOwnError(deps, { key: subject, fence });
  } catch (second) {
    deps.log.warn({ error: second }, "the failure could not be shown");
  }
}
