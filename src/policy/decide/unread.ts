import type { ContextName } from "../../report/model/context.ts";
import type { Fact, StageFacts, UnknownReason } from "../../report/model/facts.ts";
import type { PullFacts } from "../../report/model/pull-facts.ts";
import type { LoadedPolicy } from "../model/loaded-policy.ts";
import type { ReadAttempts } from "../model/read-attempts.ts";
import { wantedUnder } from "./wanted-facts.ts";

/** What is not told is asked for so often, within so many ms, before the gate fails for it. */
const MAX_ATTEMPTS = 5;
export const ATTEMPTS_MS = 60_000;

/** Tries of what was read for a head and left something open. */
export interface Tries extends ReadAttempts {
  /** Something could not be read because the platform was not there for it, which ends by itself one day. */
  readonly outage?: boolean;
}

/** By execution id, and by `AROUND`. */
export type AllTries = ReadonlyMap<string, Tries>;

/** The facts around a pull request are tried together, under a name that no execution has. */
export const AROUND = "";

/** Whether it is asked for again now; what was never asked for is. */
export function hasTriesLeft(
  { attempts, nowMs }: { readonly attempts: AllTries; readonly nowMs: number },
  what: string,
): boolean {
  const made = attempts.get(what);
  return made === undefined || (made.attempts < MAX_ATTEMPTS && nowMs - made.firstMs < ATTEMPTS_MS);
}

/** A stage of which another try may bring more: it ended, or nobody could say, and no reader was told a final no. */
export function mayStillBeRead({ status, proven, cost, modules, counts }: StageFacts): boolean {
  if (!proven || status === "failed" || status === "pending") return false;
  return [cost, modules, counts].some(isRetried);
}

/** Facts around a pull request that a rule needs and that an outage keeps from being known. */
export function unreadAround(policy: LoadedPolicy, { context }: Pick<PullFacts, "context">): ContextName[] {
  return wantedUnder(policy).judged.filter((name) => isOutage(context[name]));
}

export const isRetried = (fact: Fact<unknown>): boolean =>
  fact.state === "absent" || (fact.state === "unknown" && RETRIED.has(fact.reason));

export const isOutage = (fact: Fact<unknown>): boolean =>
  fact.state === "unknown" && OUTAGES.includes(fact.reason);

const OUTAGES: readonly UnknownReason[] = ["rate_limited", "unavailable", "malformed", "timed_out"];

/** Why something is not known that another read may bring. */
export const RETRIED: ReadonlySet<UnknownReason> = new Set([
  "not_estimated",
  "not_indexed",
  "not_read",
  "not_listed",
  ...OUTAGES,
]);
