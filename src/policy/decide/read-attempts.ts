import { MINUTE_MS } from "../../kernel/clock.ts";
import type { ContextName, PullFacts } from "../../report/model/context.ts";
import type { Fact, StageFacts, UnknownReason } from "../../report/model/facts.ts";
import type { LoadedPolicy } from "../model/loaded-policy.ts";
import { selectWantedFacts } from "./wanted-facts.ts";

/** Number of reads of a missing fact, and the time for them in ms, before the gate fails. */
const MAX_ATTEMPTS = 5;
export const ATTEMPTS_MS = MINUTE_MS;

/** Attempts to read the facts of a head that are still incomplete. */
export interface FactReadAttempts extends ReadAttempts {
  /** A read failed because of an outage of the platform, which ends without intervention. */
  readonly outage?: boolean;
}

/** By execution id, and by `CONTEXT_READS`. */
export type AllReadAttempts = ReadonlyMap<string, FactReadAttempts>;

/** Key of the context facts, which are read together; no execution has this id. */
export const CONTEXT_READS = "";

/** Whether another attempt is allowed; true for the first one. */
export function hasAttemptsLeft(
  { attempts, nowMs }: { readonly attempts: AllReadAttempts; readonly nowMs: number },
  what: string,
): boolean {
  const made = attempts.get(what);
  return made === undefined || (made.attempts < MAX_ATTEMPTS && nowMs - made.firstMs < ATTEMPTS_MS);
}

/** Whether another read of a stage may add facts: it ended or its status is unknown, and no reader received a final answer. */
export function canStillBeRead({ status, proven, cost, modules, counts }: StageFacts): boolean {
  if (!proven || status === "failed" || status === "pending") return false;
  return [cost, modules, counts].some(isRetried);
}

/** Context facts that a rule needs and that are unknown because of an outage. */
export function listUnreadContext(
  policy: LoadedPolicy,
  { context }: Pick<PullFacts, "context">,
): ContextName[] {
  return selectWantedFacts(policy).required.filter((name) => isOutage(context[name]));
}

export const isRetried = (fact: Fact<unknown>): boolean =>
  fact.state === "absent" || (fact.state === "unknown" && RETRYABLE_REASONS.has(fact.reason));

export const isOutage = (fact: Fact<unknown>): boolean =>
  fact.state === "unknown" && OUTAGE_REASONS.includes(fact.reason);

const OUTAGE_REASONS: readonly UnknownReason[] = ["rate_limited", "unavailable", "malformed", "timed_out"];

/** Reasons of unknown facts that another read may resolve. */
export const RETRYABLE_REASONS: ReadonlySet<UnknownReason> = new Set([
  "not_estimated",
  "not_indexed",
  "not_read",
  "not_listed",
  ...OUTAGE_REASONS,
]);

export interface ReadAttempts {
  readonly attempts: number;
  /** Time of the first attempt, ms since 1970. */
  readonly firstMs: number;
}
