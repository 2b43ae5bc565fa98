import { formatLaneKey } from "../queue/names.ts";
import type { Report } from "../report/model/report.ts";
import { dropClaims } from "../store/after-merge/budget-use.ts";
import { recordMerge } from "../store/after-merge/merged-pulls.ts";
import type { MergedStage } from "../store/after-merge/workspace-costs.ts";
import { closeRuleOutcomes } from "../store/history/rule-outcomes.ts";
import { compareWithEstimate } from "./after-merge/compare.ts";
import { markApplied } from "./after-merge/mark-applied.ts";
import { recordUncheckedMerge } from "./after-merge/record-unchecked-merge.ts";
import { enqueueBudgetPulls } from "./budgets/read-budget.ts";
import { notifyClosed, notifyComparison } from "./notify/notify-closed.ts";
import { enqueueAbove } from "./publish.ts";
import { retireClosedCheck } from "./retire-check-name.ts";
import type { CurrentHead } from "./run/deps.ts";
import { findEarliest } from "./schedule.ts";

/** Removes a closed pull request's cost from the budgets; if it was merged, saves it as the cost of its workspaces. */
export async function closePullRequest(current: CurrentHead): Promise<void> {
  const { run, head } = current;
  const { deps, key } = run;
  await (head.pull.state === "merged" ? recordUncheckedMerge(current) : retireClosedCheck(current));
  const merged = head.pull.state === "merged" && (await saveMerge(current));
  const dropped = await dropClaims(deps.db, key);
  const closedMs = head.pull.closedMs ?? deps.clock.now();
  const as = head.pull.state === "merged" ? "merged" : "closed";
  await closeRuleOutcomes(deps.db, key, { as, at: new Date(closedMs) });
  if (merged || dropped) await enqueueBudgetPulls(deps, key);
  await enqueueAbove(deps, key);
  await notifyClosed(current);
  if (head.pull.state === "merged") await followMerge(current);
}

/** Does the work that is due after the merge; the lane's alarm triggers later work. */
async function followMerge(current: CurrentHead): Promise<void> {
  const { run, head, before } = current;
  const { deps, key } = run;
  const lane = formatLaneKey({ kind: "pull", ...key });
  const nowMs = deps.clock.now();
  try {
    const next = findEarliest([
      await compareWithEstimate(run, head, (found) => notifyComparison(current, found)),
      await markApplied(run, head, before),
    ]);
    if (next !== null) await deps.queue.setAlarm(lane, next);
  } catch (error) {
    // The queue retries for half an hour; the alarm retries when the platform is unavailable for longer.
    if (nowMs - (head.pull.mergedMs ?? nowMs) < GIVE_UP_MS) await deps.queue.setAlarm(lane, nowMs + HOUR_MS);
    throw error;
  }
}

const HOUR_MS = 3_600_000;
/** Time after the merge, in ms, after which failures are not retried. */
const GIVE_UP_MS = 14 * 24 * HOUR_MS;

/** In ms. GitHub states whole seconds, so a plan made in the same second may be older than the merge. */
const PART_OF_SECOND_MS = 999;

/** Saves the merge. Returns whether it changed the amounts that count towards budgets. */
async function saveMerge({ run, head, before, sinceMs }: CurrentHead): Promise<boolean> {
  const { deps, key } = run;
  const { pull } = head;
  const isOfHead = before?.evaluation.pull.headSha === pull.headSha;
  const evaluated = before === null ? [] : before.evaluation.report.stages;
  const stages = evaluated.map((stage) => ({
    plannedMs: stage.createdMs ?? sinceMs,
    ...toMergedStage(stage, isOfHead),
  }));
  const mergedMs = pull.mergedMs === null ? deps.clock.now() : pull.mergedMs + PART_OF_SECOND_MS;
  const { mergeSha, baseRef } = pull;
  const after = deps.operator.compareAfterMs;
  const compareMs = after === null ? null : mergedMs + after;
  return recordMerge(deps.db, { ...key, mergeSha, baseRef, mergedMs, compareMs }, stages);
}

/**
 * Returns a merged stage. A stage of an older head was not merged in this form, so its workspace is saved
 * with an unknown cost.
 */
function toMergedStage(stage: Report["stages"][number], isOfHead: boolean): Omit<MergedStage, "plannedMs"> {
  const { org, project, workspace, name, state, currency, before, after, change } = stage;
  const place = { org, project, workspace, stage: name };
  if (!isOfHead || state !== "known")
    return { ...place, currency: null, before: null, after: null, change: null };
  return { ...place, currency, before, after, change };
}
