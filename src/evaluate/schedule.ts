import { mayBeDecidedLater } from "../policy/decide/situation.ts";
import { type AllTries, hasTriesLeft, type Tries } from "../policy/decide/unread.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import type { Situation } from "../policy/model/situation.ts";
import { nextWaiverChange } from "../policy/waivers/waiver-end.ts";

/** Pauses between tries of what is not told yet, in ms: five tries fit into the minute. */
const RETRY_MS: readonly number[] = [2_000, 4_000, 8_000, 16_000];
/** Where an outage outlasts them, the pauses double from the first of these to the second, in ms. */
const SLOW_MS = 60_000;
const SLOWEST_MS = 16 * 60_000;
/** After a deadline, so that it has certainly passed, in ms. */
const AFTER_MS = 1_000;

/**
 * When the lane must look again though nothing may happen: the next try of a read, or the end of the waiting, whichever
 * comes first; ms since 1970. Null: never. A draft waits for nothing but its reads, and a verdict that was
 * reached without them for the end of an outage.
 */
export function nextEvaluationMs(situation: Situation, attempts: AllTries, nowMs: number): number | null {
  const pauses = [...attempts].flatMap(([what, made]) => {
    const isTried = isWaiting(situation) || made.outage === true;
    if (isTried && hasTriesLeft({ attempts, nowMs }, what)) return RETRY_MS[made.attempts - 1] ?? [];
    return made.outage === true ? slowPause(made) : [];
  });
  const looks = restsOnReads(situation) ? pauses.map((pause) => nowMs + pause) : [];
  if (situation.kind === "waiting") looks.push(Math.max(situation.deadlineMs, nowMs) + AFTER_MS);
  return earliest(looks);
}

const isWaiting = ({ kind }: Situation): boolean => kind === "waiting" || kind === "draft";

/** Whether what could not be read may change what is said. */
const restsOnReads = (situation: Situation): boolean =>
  isWaiting(situation) ||
  situation.kind === "cost_unreadable" ||
  situation.kind === "execution_unreadable" ||
  (situation.kind === "judged" && mayBeDecidedLater(situation.verdict));

const slowPause = ({ attempts }: Tries): number =>
  Math.min(SLOWEST_MS, SLOW_MS * 2 ** Math.max(0, attempts - RETRY_MS.length - 1));

/** When an exception that the verdict rests on ends, or its comment must count down; ms since 1970. Null: it rests on none. */
export function nextWaiverMs(situation: Situation, policy: LoadedPolicy, nowMs: number): number | null {
  if (policy.state !== "found" || !("verdict" in situation)) return null;
  const change = nextWaiverChange(situation.verdict?.findings ?? [], policy.policy.waivers, nowMs);
  return change === null ? null : change + AFTER_MS;
}

export function earliest(looks: readonly (number | null)[]): number | null {
  const due = looks.filter((look) => look !== null);
  return due.length === 0 ? null : Math.min(...due);
}
