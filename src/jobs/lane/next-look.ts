import type { Situation } from "../../policy/situation.ts";
import { nextWaiverChange } from "../../policy/waivers/waiver-end.ts";
import type { ReadAttempts } from "../../store/read-attempts.ts";
import type { LoadedPolicy } from "./judge/policy.ts";
import { hasTriesLeft } from "./judge/situation.ts";

/** Pauses between tries of what an execution does not tell yet, in ms: five tries fit into the minute. */
const RETRY_MS: readonly number[] = [2_000, 4_000, 8_000, 16_000];
/** After a deadline, so that it has certainly passed, in ms. */
const AFTER_MS = 1_000;

/**
 * When the lane must look again though nothing may happen: the next try of a read, or the end of the waiting, whichever
 * comes first; ms since 1970. Null: never. A draft waits for nothing but its reads.
 */
export function nextLook(
  situation: Situation,
  attempts: ReadonlyMap<string, ReadAttempts>,
  nowMs: number,
): number | null {
  if (situation.kind !== "waiting" && situation.kind !== "draft") return null;
  const pauses = [...attempts]
    .filter(([executionId]) => hasTriesLeft({ attempts, nowMs }, executionId))
    .flatMap(([, { attempts: made }]) => RETRY_MS[made - 1] ?? []);
  const looks = pauses.map((pause) => nowMs + pause);
  if (situation.kind === "waiting") looks.push(Math.max(situation.deadlineMs, nowMs) + AFTER_MS);
  return looks.length === 0 ? null : Math.min(...looks);
}

/** When an exception that the verdict rests on ends, or its comment must count down; ms since 1970. Null: it rests on none. */
export function waiverLook(situation: Situation, policy: LoadedPolicy, nowMs: number): number | null {
  if (policy.state !== "found" || !("verdict" in situation)) return null;
  const change = nextWaiverChange(situation.verdict?.findings ?? [], policy.policy.waivers, nowMs);
  return change === null ? null : change + AFTER_MS;
}

export function earliest(looks: readonly (number | null)[]): number | null {
  const due = looks.filter((look) => look !== null);
  return due.length === 0 ? null : Math.min(...due);
}
