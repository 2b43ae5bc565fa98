import { evaluate } from "../../policy/evaluate.ts";
import { expectationState } from "../../policy/expectation.ts";
import type { Missing, Situation } from "../../policy/situation.ts";
import type { PullFacts, StageFacts } from "../../report/facts.ts";
import type { Report } from "../../report/report.ts";
import type { ReadAttempts } from "../../store/read-attempts.ts";
import type { LoadedPolicy } from "./policy.ts";

/** All that decides where a head stands. */
export interface Standing {
  readonly policy: LoadedPolicy;
  readonly facts: PullFacts;
  readonly report: Report;
  readonly changedFiles: readonly string[];
  readonly filesComplete: boolean;
  readonly alwaysCheck: boolean;
  /** Since when this head is known, ms since 1970. */
  readonly sinceMs: number;
  readonly nowMs: number;
  /** Failed reads of the cost of ended executions, by execution id. */
  readonly attempts: ReadonlyMap<string, ReadAttempts>;
}

/** An execution that runs is waited for this long, in ms. */
const PENDING_MS = 2 * 3_600_000;
/** An ended execution's cost is tried so often, within so many ms, before the gate fails for it. */
const MAX_ATTEMPTS = 5;
const ATTEMPTS_MS = 60_000;

/** Which row of the verdict table applies: policy first, then what is waited for, then the rules. */
export function situationOf(standing: Standing): Situation {
  const { policy } = standing;
  switch (policy.state) {
    case "none":
      return { kind: "no_policy", alwaysCheck: standing.alwaysCheck };
    case "invalid":
      return { kind: "policy_invalid", problems: policy.problems };
    case "unreadable":
      return { kind: "policy_unreadable", which: policy.which, hint: policy.hint };
    case "found":
      return underPolicy(standing, policy);
  }
}

function underPolicy(standing: Standing, { policy }: Extract<LoadedPolicy, { state: "found" }>): Situation {
  const { facts, report, changedFiles, filesComplete, sinceMs, nowMs } = standing;
  const { stages } = facts;
  const expected = expectationState({ policy, changedFiles, filesComplete, stages, sinceMs, nowMs });
  if (expected.state === "waiting")
    return { kind: "waiting", missing: expected.missing, deadlineMs: expected.deadlineMs };
  if (expected.state === "deadline_passed") return { kind: "deadline_passed", missing: expected.missing };
  if (expected.state === "not_expected" && stages.length === 0) return { kind: "nothing_expected" };
  return pendingSituation(standing) ?? judged(standing, evaluate(report, policy));
}

function pendingSituation({ facts, sinceMs, nowMs }: Standing): Situation | null {
  const pending = facts.stages.filter(({ status }) => status === "pending");
  if (pending.length === 0) return null;
  const missing = pending.map(({ workspace }): Missing => ({ workspace, state: "pending" }));
  const deadlineMs = sinceMs + PENDING_MS;
  return nowMs < deadlineMs ? { kind: "waiting", missing, deadlineMs } : { kind: "deadline_passed", missing };
}

/** An undecided verdict waits while an ended execution's cost may still appear. */
function judged(standing: Standing, verdict: ReturnType<typeof evaluate>): Situation {
  if (verdict.kind !== "undecided") return { kind: "judged", verdict };
  const unread = standing.facts.stages.filter(mayStillBeRead);
  if (unread.length === 0) return { kind: "judged", verdict };
  const workspaces = unread.map(({ workspace }) => workspace);
  const waiting = unread.filter((stage) => hasTriesLeft(standing, stage));
  if (waiting.length === 0) return { kind: "cost_unreadable", workspaces };
  const missing = workspaces.map((workspace): Missing => ({ workspace, state: "pending" }));
  const started = unread.map(
    ({ executionId }) => standing.attempts.get(executionId)?.firstMs ?? standing.nowMs,
  );
  return { kind: "waiting", missing, deadlineMs: Math.min(...started) + ATTEMPTS_MS };
}

function hasTriesLeft({ attempts, nowMs }: Standing, { executionId }: StageFacts): boolean {
  const made = attempts.get(executionId);
  return made === undefined || (made.attempts < MAX_ATTEMPTS && nowMs - made.firstMs < ATTEMPTS_MS);
}

/** A cost that another try may bring: the execution ended well and its reader was not told a final no. */
export function mayStillBeRead({ status, proven, cost }: StageFacts): boolean {
  if (status !== "succeeded" || !proven || cost.state === "known") return false;
  return cost.state === "absent" || (cost.state === "unknown" && RETRIED.has(cost.reason));
}

const RETRIED: ReadonlySet<string> = new Set([
  "not_estimated",
  "not_indexed",
  "not_read",
  "rate_limited",
  "unavailable",
  "malformed",
  "timed_out",
]);
