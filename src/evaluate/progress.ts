import { setTimeout as sleep } from "node:timers/promises";
import { GitHubError } from "../github/client/result.ts";
import { MINUTE_MS } from "../kernel/clock.ts";
import { NO_APPROVALS } from "../policy/model/approval.ts";
import { joinPolicyBlobs } from "../policy/model/loaded-policy.ts";
import { buildReport } from "../report/build.ts";
import { NO_FACTS } from "../report/model/context.ts";
import { buildEvaluation, buildEvaluationContext } from "./build-evaluation.ts";
import { buildCheckTarget, publishProgress } from "./check.ts";
import type { CheckPolicy } from "./load-policy.ts";
import { type CurrentHead, findHeadEvaluation } from "./run/deps.ts";

/**
 * Longest time until a head without a check gets one, in ms since the evaluation started; usually there is a
 * verdict before.
 */
const PATIENCE_MS = 900;
/** In ms. How long the check says that the decision will follow soon. */
const READING_MS = MINUTE_MS;

/**
 * Does the work and meanwhile shows the check as in progress: at once if the check shows a verdict of another
 * policy or of another pull request, after `PATIENCE_MS` if the head has no check. In a CI job, which may be
 * cancelled at any time, nobody would complete such a check.
 */
export async function showProgressMeanwhile<T>(
  current: CurrentHead,
  checkPolicy: CheckPolicy,
  work: () => Promise<T>,
): Promise<T> {
  const { deps, attempt, startedMs } = current;
  const { policy, checkName } = checkPolicy;
  if (policy.state === "none" || deps.isOneShot) return work();
  const last = findHeadEvaluation(current);
  const ofThisHead = last?.evaluation.pull.baseRef === current.head.pull.baseRef;
  if (ofThisHead && last.policyBlobs === joinPolicyBlobs(policy)) return work();
  if (ofThisHead || buildCheckTarget(current, checkName).listedRun?.completed === true) {
    await showProgress(current, checkPolicy);
    return work();
  }
  const working = work();
  const left = PATIENCE_MS - (deps.clock.monotonicMs() - startedMs);
  const ended = new AbortController();
  const slow = await Promise.race([
    working.then(() => false),
    pause(Math.max(0, left), AbortSignal.any([ended.signal, attempt.signal])).then(() => true),
  ]).finally(() => ended.abort());
  if (slow) await showProgress(current, checkPolicy);
  return working;
}

/** Shows on the check that the evaluation waits until our own limit of calls to the platform lets it read. */
export async function showWaitForTurn(current: CurrentHead, checkPolicy: CheckPolicy): Promise<void> {
  if (checkPolicy.policy.state !== "none" && !current.deps.isOneShot)
    // The same text on each retry, so that the check is written once.
    await showProgress(current, checkPolicy, { needsTurn: true, deadlineMs: current.sinceMs });
}

async function showProgress(
  current: CurrentHead,
  checkPolicy: CheckPolicy,
  wait: { readonly needsTurn?: true; readonly deadlineMs: number } = {
    deadlineMs: current.deps.clock.now() + READING_MS,
  },
): Promise<void> {
  const { deps } = current;
  const stored = buildEvaluation(current, {
    ...checkPolicy,
    facts: NO_FACTS,
    report: buildReport(NO_FACTS, { stages: [] }),
    context: buildEvaluationContext(current, { nowMs: deps.clock.now(), budgetUse: null }),
    situation: { kind: "waiting", missing: [], ...wait },
    approvals: NO_APPROVALS,
    override: null,
    approvableDigest: null,
    policyEdit: null,
  });
  try {
    await publishProgress(deps, buildCheckTarget(current, checkPolicy.checkName), stored);
  } catch (error) {
    // Progress is only information: a failure to show it does not fail the evaluation.
    if (!(error instanceof GitHubError)) throw error;
    deps.log.warn({ failure: error.failure.kind }, "progress could not be shown");
  }
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {});
