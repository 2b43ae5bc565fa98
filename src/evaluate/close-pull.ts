import { DAY_MS, HOUR_MS } from "../kernel/clock.ts";
import { listOpenFindings } from "../policy/decide/situation.ts";
import type { Evaluation } from "../policy/model/evaluation.ts";
import { getVerdict } from "../policy/model/situation.ts";
import { formatLaneKey } from "../queue/names.ts";
import type { Report } from "../report/model/report.ts";
import { divideAmount } from "../report/tags.ts";
import { dropClaims } from "../store/after-merge/budget-use.ts";
import { type MergeOutcome, recordMerge, toEndOfSecond } from "../store/after-merge/merged-pulls.ts";
import { appendMerge } from "../store/audit/decisions.ts";
import { formatDecision, markPublished, type StoredEvaluation } from "../store/evaluations.ts";
import { closeRuleOutcomes, decideOwnCost } from "../store/history/write-evaluation.ts";
import type { MergeWay } from "../store/tables/after-merge.ts";
import { compareWithEstimate } from "./after-merge/compare.ts";
import { markApplied } from "./after-merge/mark-applied.ts";
import { markExpected } from "./after-merge/mark-expected.ts";
import { enqueueBudgetPulls } from "./budgets.ts";
import { buildCheckTarget, retireClosedCheck } from "./check.ts";
import { loadPolicy } from "./load-policy.ts";
import {
  notifyApprovalEnds,
  notifyClosed,
  notifyComparison,
  notifyRefusedApplies,
  type UncheckedMerge,
} from "./notify.ts";
import { enqueuePullsAbove } from "./publish.ts";
import { type CurrentHead, findHeadEvaluation } from "./run/deps.ts";
import { findEarliest } from "./schedule.ts";

/** Removes a closed pull request's cost from the budgets; if it was merged, saves it as the cost of its workspaces. */
export async function closePullRequest(current: CurrentHead): Promise<void> {
  const { deps, key, head } = current;
  const isMerged = head.pull.state === "merged";
  if (!isMerged) await retireClosedCheck(current);
  const check = isMerged ? await findMergedCheck(current) : null;
  const unchecked = check === null ? null : await recordUncheckedMerge(current, check);
  const changesBudgets = isMerged && (await saveMerge(current, check));
  const dropped = await dropClaims(deps.db, key);
  const at = new Date(head.pull.closedMs ?? deps.clock.now());
  await closeRuleOutcomes(deps.db, key, { as: isMerged ? "merged" : "closed", at });
  if (changesBudgets || dropped) await enqueueBudgetPulls(deps, key);
  await enqueuePullsAbove(deps, key);
  await notifyClosed(current, unchecked);
  await notifyRefusedApplies(current);
  if (isMerged) await followMerge(current, unchecked === null);
}

/** Time after the merge, in ms, after which failures are not retried. */
const GIVE_UP_MS = 14 * DAY_MS;

/** Does the work that is due after the merge; the lane's alarm triggers later work. */
async function followMerge(current: CurrentHead, isChecked: boolean): Promise<void> {
  const { deps, key, head } = current;
  const lane = formatLaneKey({ kind: "pull", ...key });
  const nowMs = deps.clock.now();
  try {
    const next = findEarliest([
      await compareWithEstimate(current, (found) => notifyComparison(current, found)),
      await markApplied(current),
      await markExpected(current, isChecked),
      await notifyApprovalEnds(current),
    ]);
    if (next !== null) await deps.queue.setAlarm(lane, next);
  } catch (error) {
    // The queue retries for half an hour; the alarm retries when the platform is unavailable for longer.
    if (nowMs - (head.pull.mergedMs ?? nowMs) < GIVE_UP_MS) await deps.queue.setAlarm(lane, nowMs + HOUR_MS);
    throw error;
  }
}

const UNKNOWN_COST = { currency: null, before: null, after: null, change: null };

/** Saves the merge. Returns whether it changed the amounts that count towards budgets. */
async function saveMerge(current: CurrentHead, check: MergedCheck | null): Promise<boolean> {
  const { deps, key, head, before, sinceMs } = current;
  const { pull } = head;
  const isOfHead = findHeadEvaluation(current) !== null;
  const evaluation = before?.evaluation;
  const keys = evaluation?.context.budgetUse?.tagKeys ?? [];
  const divide = (stage: Report["stages"][number], of: "change" | "after") =>
    evaluation === undefined || !isOfHead ? null : divideAmount(evaluation.report, stage, { keys, of });
  const stages = (evaluation?.report.stages ?? []).map((stage) => {
    const { org, project, workspace, currency, before, after, change } = stage;
    return {
      ...{ org, project, workspace, stage: stage.name, plannedMs: stage.createdMs ?? sinceMs },
      // A stage of an older head was not merged in this form.
      ...(isOfHead && stage.state === "known" ? { currency, before, after, change } : UNKNOWN_COST),
      divided: { change: divide(stage, "change"), after: divide(stage, "after") },
    };
  });
  const mergedMs = pull.mergedMs === null ? deps.clock.now() : toEndOfSecond(pull.mergedMs);
  const after = deps.operator.compareAfterMs;
  const compareMs = after === null ? null : mergedMs + after;
  const outcome = describeOutcome(current, check);
  return recordMerge(deps.db, { ...key, mergedMs, mergeSha: pull.mergeSha, compareMs, outcome }, stages);
}

/** How it got through, and what was merged. What an older head changes was not merged in this form: it is unknown. */
function describeOutcome(current: CurrentHead, check: MergedCheck | null): MergeOutcome {
  const { pull } = current.head;
  const evaluation = findMergedEvaluation(current)?.evaluation ?? null;
  const evaluated = findHeadEvaluation(current)?.evaluation ?? null;
  const way = decideWay(evaluation, check);
  const { override, approvals } = evaluation ?? {};
  const approved = way === "approved" ? (approvals?.live ?? []) : [];
  return {
    author: pull.author?.login ?? null,
    mergedBy: pull.mergedBy,
    verdict: evaluation === null ? null : (getVerdict(evaluation.situation)?.kind ?? null),
    way,
    cost: evaluated === null ? "unknown" : decideOwnCost(evaluated),
    consents:
      way === "overridden" && override !== undefined
        ? [{ ...override.person, upTo: null }]
        : approved.map(({ approver, upTo }) => ({ ...approver, upTo })),
    modules: evaluated?.report.modules ?? [],
    byTag: evaluated?.report.byTag ?? null,
  };
}

function decideWay(evaluation: Evaluation | null, check: MergedCheck | null): MergeWay {
  if (check === null) return "no_check";
  if (!isPassing(check)) return "over_check";
  if (evaluation?.override !== undefined) return "overridden";
  const violated = (evaluation === null ? [] : (getVerdict(evaluation.situation)?.findings ?? [])).filter(
    ({ outcome }) => outcome === "violated",
  );
  if (violated.some(({ approved }) => approved)) return "approved";
  if (violated.some(({ waiver }) => waiver !== null)) return "waived";
  return check.state === "neutral" ? "warned" : "passed";
}

/** The check that the merged head had or should have had. `state`: its conclusion, else its status; `missing`: there was none. */
interface MergedCheck {
  readonly name: string;
  readonly state: string;
}

const isPassing = ({ state }: MergedCheck): boolean => state === "success" || state === "neutral";

/**
 * Null: there was no policy. The merge may have changed the policy on the base branch, so the policy of the evaluation counts where there
 * was one.
 */
async function findMergedCheck(current: CurrentHead): Promise<MergedCheck | null> {
  const evaluated = findMergedEvaluation(current)?.evaluation;
  if (evaluated?.situation.kind === "no_policy") return null;
  const loaded = evaluated ?? (await loadPolicy(current));
  if ("policy" in loaded && loaded.policy.state === "none") return null;
  const name = loaded.checkName;
  const { listedState } = buildCheckTarget(current, name);
  // Of very many checks GitHub lists a part, so the one that was published last counts.
  const isKnown = current.head.claimsComplete || evaluated === undefined;
  return { name, state: listedState ?? (isKnown ? "missing" : formatDecision(evaluated.check)) };
}

/**
 * Records a merge although the check did not pass, or was missing, in the decision chain; null: it passed. May run again: a pull
 * request gets one record at most.
 */
async function recordUncheckedMerge(
  current: CurrentHead,
  found: MergedCheck,
): Promise<UncheckedMerge | null> {
  const { deps, key } = current;
  const { pull } = current.head;
  const { name: checkName, state: check } = found;
  const merged = findMergedEvaluation(current);
  const evaluation = merged?.evaluation ?? null;
  if (isPassing(found)) {
    // A run that ended between the publication and this mark left it to be seen here.
    if (merged !== null) await markPublished(deps.db, key, merged.digest);
    return null;
  }
  const now = deps.clock.now();
  const record = {
    kind: "merge" as const,
    ...key,
    headSha: pull.headSha,
    baseRef: pull.baseRef,
    mergeSha: pull.mergeSha,
    mergedAt: new Date(pull.mergedMs ?? now).toISOString(),
    mergedBy: pull.mergedBy === null ? null : { id: pull.mergedBy.id, login: pull.mergedBy.login },
    checkName,
    check,
    situation: evaluation?.situation.kind ?? null,
    open: evaluation === null ? [] : listOpenFindings(evaluation.situation, evaluation.pull.figures),
  };
  if (await appendMerge(deps.db, record, new Date(now)))
    deps.log.info({ ...key, check }, "a pull request was merged over its check");
  return { check, evaluation };
}

/** The newest evaluation, if it is one of the merged head into the base branch. */
function findMergedEvaluation(current: CurrentHead): StoredEvaluation | null {
  const last = findHeadEvaluation(current);
  return last?.evaluation.pull.baseRef === current.head.pull.baseRef ? last : null;
}
