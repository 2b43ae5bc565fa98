import { MINUTE_MS } from "../kernel/clock.ts";
import { toSpanEnd } from "../kernel/fiscal-periods.ts";
import {
  type AllReadAttempts,
  type FactReadAttempts,
  hasAttemptsLeft,
} from "../policy/decide/read-attempts.ts";
import { canBeDecidedLater } from "../policy/decide/situation.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { getVerdict, type Situation } from "../policy/model/situation.ts";
import { findNextWaiverChange } from "../policy/waiver-end.ts";
import { formatLaneKey } from "../queue/names.ts";
import type { Decision } from "./make-decision.ts";
import type { CurrentHead } from "./run/deps.ts";

/** Longest lag of GitHub's replicas, in ms. */
const LAG_MS = 3_000;

/** Sets the lane's alarm for the next evaluation, if the decision can change without a delivery. */
export async function scheduleEvaluation(
  { deps, key, canLag }: CurrentHead,
  decision: Decision,
): Promise<void> {
  const alarmMs = canLag ? deps.clock.now() + LAG_MS : computeNextDecisionMs(decision);
  if (alarmMs !== null) await deps.queue.setAlarm(formatLaneKey({ kind: "pull", ...key }), alarmMs);
}

function computeNextDecisionMs({ stored, policy, attempts, decidedMs }: Decision): number | null {
  const { situation, approvals, context } = stored.evaluation;
  const ends = [
    findWaiverChange(situation, policy, decidedMs),
    // The first days of rules that only warn so far.
    ...(getVerdict(situation)?.findings ?? []).map(({ enforceFromMs = null }) => enforceFromMs),
    ...approvals.live.map(({ untilMs = null }) => untilMs),
    // In another period other changes count towards its budgets.
    ...(context.budgetUse?.periods ?? []).map(toSpanEnd),
  ];
  return findEarliest([
    computeNextEvaluationMs(situation, attempts, decidedMs),
    ...ends.map((endMs) => (endMs === null ? null : endMs + AFTER_MS)),
  ]);
}

/** Pauses between reads of a fact that is still unknown, in ms: five reads fit into the minute. */
const RETRY_MS: readonly number[] = [2_000, 4_000, 8_000, 16_000];
/** First and longest pause of a longer outage, in ms: the pauses double from the first to the second. */
const SLOW_MS = MINUTE_MS;
const SLOWEST_MS = 16 * MINUTE_MS;
/** Added to a deadline, in ms, so that the deadline has certainly passed. */
export const AFTER_MS = 1_000;

/**
 * Returns when the lane must evaluate again without a delivery, in ms since 1970: at the next read of an
 * unknown fact or at the deadline, whichever comes first. Null: never. A draft waits only for its reads; a
 * verdict that was reached without them waits for the end of an outage.
 */
export function computeNextEvaluationMs(
  situation: Situation,
  attempts: AllReadAttempts,
  nowMs: number,
): number | null {
  const pauses = [...attempts].flatMap(([what, made]) => {
    const isTried = isWaiting(situation) || made.outage === true;
    if (isTried && hasAttemptsLeft({ attempts, nowMs }, what)) return RETRY_MS[made.attempts - 1] ?? [];
    return made.outage === true ? computeSlowPause(made) : [];
  });
  const times = isReadDependent(situation) ? pauses.map((pause) => nowMs + pause) : [];
  if (situation.kind === "waiting") times.push(Math.max(situation.deadlineMs, nowMs) + AFTER_MS);
  return findEarliest(times);
}

const isWaiting = ({ kind }: Situation): boolean => kind === "waiting" || kind === "draft";

/** Whether a fact that could not be read may change the situation. */
const isReadDependent = (situation: Situation): boolean =>
  isWaiting(situation) ||
  situation.kind === "cost_unreadable" ||
  situation.kind === "execution_unreadable" ||
  (situation.kind === "evaluated" && canBeDecidedLater(situation.verdict));

const computeSlowPause = ({ attempts }: FactReadAttempts): number =>
  Math.min(SLOWEST_MS, SLOW_MS * 2 ** Math.max(0, attempts - RETRY_MS.length - 1));

/** Returns when a waiver of the verdict ends, or the comment must show fewer days, in ms since 1970. Null: the verdict uses none. */
function findWaiverChange(situation: Situation, policy: LoadedPolicy, nowMs: number): number | null {
  if (policy.state !== "found") return null;
  return findNextWaiverChange(getVerdict(situation)?.findings ?? [], policy.policy.waivers, nowMs);
}

/** Returns the earliest of these times; null: there is none. */
export function findEarliest(times: readonly (number | null)[]): number | null {
  const due = times.filter((time) => time !== null);
  return due.length === 0 ? null : Math.min(...due);
}
