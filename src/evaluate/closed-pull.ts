import type { HeadState } from "../github/head/head-state.ts";
import { laneKey } from "../queue/lane-key.ts";
import type { Report } from "../report/model/report.ts";
import { dropClaims } from "../store/after-merge/budget-use.ts";
import { recordMerge } from "../store/after-merge/merged-pulls.ts";
import type { MergedStage } from "../store/after-merge/workspace-costs.ts";
import { findEvaluation } from "../store/evaluations.ts";
import { compareWithEstimate } from "./after-merge/compare.ts";
import { markApplied } from "./after-merge/mark-applied.ts";
import { enqueueBudgetPulls } from "./budgets/enqueue.ts";
import type { PullRun } from "./run/pull-run.ts";
import { earliest } from "./schedule.ts";

/**
 * A pull request was closed: what it would add counts no more, or, when it was merged, is what its workspaces cost now.
 * `sinceMs`: since when its head is known.
 */
export async function closePull(run: PullRun, head: HeadState, sinceMs: number): Promise<void> {
  const { deps, key } = run;
  const merged = head.pull.state === "merged" && (await saveMerge(run, head, sinceMs));
  const dropped = await dropClaims(deps.db, key);
  if (merged || dropped) await enqueueBudgetPulls(deps, key);
  if (head.pull.state === "merged") await followMerge(run, head);
}

/** What is to be done later is done in later runs of the lane. */
async function followMerge(run: PullRun, head: HeadState): Promise<void> {
  const { deps, key } = run;
  const lane = laneKey({ kind: "pull", ...key });
  const nowMs = deps.clock.now();
  try {
    const next = earliest([await compareWithEstimate(run, head), await markApplied(run, head)]);
    if (next !== null) await deps.queue.setAlarm(lane, next);
  } catch (error) {
    // The queue tries again for half an hour; the alarm does when a platform is away for longer.
    if (nowMs - (head.pull.mergedMs ?? nowMs) < GIVE_UP_MS) await deps.queue.setAlarm(lane, nowMs + HOUR_MS);
    throw error;
  }
}

const HOUR_MS = 3_600_000;
/** After this time since the merge nothing that failed is tried again. */
const GIVE_UP_MS = 14 * 24 * HOUR_MS;

/** GitHub tells whole seconds: a plan of the same second may not have seen the merge. */
const PART_OF_SECOND_MS = 999;

async function saveMerge({ deps, key }: PullRun, { pull }: HeadState, sinceMs: number): Promise<boolean> {
  const kept = await findEvaluation(deps.db, key);
  const isOfHead = kept?.evaluation.pull.headSha === pull.headSha;
  const said = kept === null ? [] : kept.evaluation.report.stages;
  const stages = said.map((stage) => ({
    plannedMs: stage.createdMs ?? sinceMs,
    ...mergedStageOf(stage, isOfHead),
  }));
  const mergedMs = pull.mergedMs === null ? deps.clock.now() : pull.mergedMs + PART_OF_SECOND_MS;
  const { mergeSha, baseRef } = pull;
  const after = deps.operator.compareAfterMs;
  const compareMs = after === null ? null : mergedMs + after;
  return recordMerge(deps.db, { ...key, mergeSha, baseRef, mergedMs, compareMs }, stages);
}

/** What was said about an older head is not what was merged: its workspaces are touched, and at which cost is not known. */
function mergedStageOf(stage: Report["stages"][number], isOfHead: boolean): Omit<MergedStage, "plannedMs"> {
  const { org, project, workspace, state, currency, previous, current, change } = stage;
  const place = { org, project, workspace };
  if (!isOfHead || state !== "known")
    return { ...place, currency: null, previous: null, current: null, change: null };
  return { ...place, currency, previous, current, change };
}
