import { NO_APPROVALS } from "../policy/model/approval.ts";
import { joinPolicyBlobs } from "../policy/model/loaded-policy.ts";
import { buildReport } from "../report/build.ts";
import { NO_FACTS } from "../report/model/context.ts";
import { buildEvaluation, buildEvaluationContext, findLastApprovable } from "./build-evaluation.ts";
import type { CheckPolicy } from "./load-policy.ts";
import { buildCheckTarget, publishProgress } from "./publish/check.ts";
import { type CurrentHead, pause } from "./run/deps.ts";

/**
 * Longest time until a head without a check gets one, in ms since the evaluation started; usually there is a
 * verdict before.
 */
const PATIENCE_MS = 900;
/** In ms. How long the check says that the decision will follow soon. */
const READING_MS = 60_000;

/**
 * Does the work and meanwhile shows the check as in progress: at once if the check shows a verdict of another
 * policy or of another pull request, after `PATIENCE_MS` if the head has no check. In a CI job, which may be
 * cancelled at any time, nobody would complete such a check.
 */
export async function showProgressMeanwhile<T>(
  current: CurrentHead,
  gate: CheckPolicy,
  work: () => Promise<T>,
): Promise<T> {
  const { run, head, before } = current;
  const { policy, checkName } = gate;
  if (policy.state === "none" || run.deps.isOneShot) return work();
  const ofThisHead =
    before?.evaluation.pull.headSha === head.pull.headSha &&
    before.evaluation.pull.baseRef === head.pull.baseRef;
  if (ofThisHead && before?.policyBlobs === joinPolicyBlobs(policy)) return work();
  if (ofThisHead || buildCheckTarget(run, head, checkName).listedRun?.completed === true) {
    await showProgress(current, gate);
    return work();
  }
  const working = work();
  const left = PATIENCE_MS - (run.deps.clock.monotonicMs() - run.startedMs);
  const ended = new AbortController();
  const slow = await Promise.race([
    working.then(() => false),
    pause(Math.max(0, left), AbortSignal.any([ended.signal, run.attempt.signal])).then(() => true),
  ]).finally(() => ended.abort());
  if (slow) await showProgress(current, gate);
  return working;
}

/** Shows on the check that the evaluation waits until our own limit of calls to the platform lets it read. */
export async function showWaitForTurn(current: CurrentHead, gate: CheckPolicy): Promise<void> {
  if (gate.policy.state !== "none" && !current.run.deps.isOneShot)
    // The same text on each retry, so that the check is written once.
    await showProgress(current, gate, { needsTurn: true, deadlineMs: current.sinceMs });
}

async function showProgress(
  { run, head, before }: CurrentHead,
  { policy, checkName }: CheckPolicy,
  wait: { readonly needsTurn?: true; readonly deadlineMs: number } = {
    deadlineMs: run.deps.clock.now() + READING_MS,
  },
): Promise<void> {
  const { deps } = run;
  const situation = { kind: "waiting", missing: [], ...wait } as const;
  const stored = buildEvaluation(deps, {
    head,
    policy,
    facts: NO_FACTS,
    report: buildReport(NO_FACTS, { stages: [] }),
    context: buildEvaluationContext(head, { nowMs: deps.clock.now(), budgetUse: null }),
    situation,
    approvals: NO_APPROVALS,
    override: null,
    approvableDigest: null,
    lastApprovable: findLastApprovable(head.pull, before),
    checkName,
    before,
    policyEdit: null,
  });
  const target = buildCheckTarget(run, head, stored.evaluation.checkName);
  const published = await publishProgress(deps, target, stored);
  // Progress is only information: a failure to show it does not fail the evaluation.
  if (published.state === "failed")
    deps.log.warn({ failure: published.failure.kind }, "progress could not be shown");
}
