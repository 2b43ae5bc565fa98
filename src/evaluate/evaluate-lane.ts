import { type LaneSubject, parseLaneKey } from "../queue/names.ts";
import type { JobAttempt } from "../queue/workers.ts";
import { enterLane, type Fence } from "../store/database/lanes.ts";
import { evaluatePullRequest } from "./evaluate-pull-request.ts";
import { evaluateMergeGroup } from "./merge-queue/evaluate-merge-group.ts";
import { notifyEvaluationTrouble } from "./notify.ts";
import { publishOwnError } from "./publish-own-error.ts";
import type { JobDeps } from "./run/deps.ts";

/** Failed attempts after which the check shows that the evaluation failed. The queue still retries. */
const ATTEMPTS_BEFORE_OWN_ERROR = 3;

/** Evaluates the pull request or merge group of a lane. Throws when the queue should retry. */
export async function evaluateLane(deps: JobDeps, lane: string, attempt: JobAttempt): Promise<void> {
  const subject = parseLaneKey(lane);
  if (subject === null) {
    deps.log.error({ lane }, "a lane has an unknown name");
    return;
  }
  const fence = await enterLane(deps.db, lane, new Date(deps.clock.now()));
  deps.telemetry.note({ evaluation: `${lane}#${fence.token}` });
  try {
    if (subject.kind === "pull") await evaluatePullRequest(deps, { key: subject, fence, attempt });
    else await evaluateMergeGroup(deps, { key: subject, fence }, attempt);
  } catch (error) {
    deps.log.warn({ lane, attempt: attempt.attempt, error }, "an evaluation failed");
    deps.telemetry.count("tollgate_evaluations_total", { verdict: "none", cause: "error" });
    if (attempt.attempt >= ATTEMPTS_BEFORE_OWN_ERROR) await showOwnError(deps, subject, fence);
    throw error;
  }
}

/**
 * Shows the failure on the check. A failure to show it is logged, so that it does not replace the first
 * failure.
 */
async function showOwnError(deps: JobDeps, subject: LaneSubject, fence: Fence): Promise<void> {
  if (subject.kind !== "pull") return;
  try {
    await publishOwnError(deps, { key: subject, fence });
    await notifyEvaluationTrouble(deps, subject);
  } catch (second) {
    deps.log.warn({ error: second }, "the failure could not be shown on the check");
  }
}
