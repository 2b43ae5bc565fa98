import type { HeadState } from "../github/head/head-state.ts";
import { NO_APPROVALS } from "../policy/model/approval.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { blobsOf } from "../policy/model/loaded-policy.ts";
import { buildReport } from "../report/build.ts";
import { NO_FACTS } from "../report/no-facts.ts";
import type { StoredEvaluation } from "../store/evaluations.ts";
import { toEvaluation } from "./evaluation.ts";
import { evaluationContextOf } from "./evaluation-context.ts";
import { publishProgress } from "./publish/check.ts";
import { targetOf } from "./publish/check-target.ts";
import { type PullRun, pause } from "./run/pull-run.ts";

export interface Ahead {
  readonly head: HeadState;
  readonly policy: LoadedPolicy;
  /** The pull request's newest evaluation, of whatever head. */
  readonly before: StoredEvaluation | null;
  readonly checkName: string;
}

/** A head without a check gets one after this time at the latest, ms since the run began; a verdict usually comes first. */
const PATIENCE_MS = 900;
/** How long reading costs may take before the gate stops saying that it is about to be decided, in ms. */
const READING_MS = 60_000;

/**
 * Does the work, and shows the check as in progress meanwhile: at once where a verdict stands that was made under another
 * policy or for another pull request, after a short patience where the head has no check at all.
 */
export async function showProgressMeanwhile<T>(
  run: PullRun,
  ahead: Ahead,
  work: () => Promise<T>,
): Promise<T> {
  const { policy, head, before } = ahead;
  if (policy.state === "none") return work();
  const ofThisHead =
    before?.evaluation.pull.headSha === head.pull.headSha &&
    before.evaluation.pull.baseRef === head.pull.baseRef;
  if (ofThisHead && before?.policyBlobs === blobsOf(policy)) return work();
  if (ofThisHead || targetOf(run, head, ahead.checkName).listed?.completed === true) {
    await show(run, ahead);
    return work();
  }
  const working = work();
  const left = PATIENCE_MS - (run.deps.clock.monotonicMs() - run.startedMs);
  const ended = new AbortController();
  const slow = await Promise.race([
    working.then(() => false),
    pause(Math.max(0, left), AbortSignal.any([ended.signal, run.attempt.signal])).then(() => true),
  ]).finally(() => ended.abort());
  if (slow) await show(run, ahead);
  return working;
}

async function show(run: PullRun, { head, policy, before, checkName }: Ahead): Promise<void> {
  const { deps } = run;
  const situation = { kind: "waiting", missing: [], deadlineMs: deps.clock.now() + READING_MS } as const;
  const kept = toEvaluation(deps, {
    head,
    policy,
    facts: NO_FACTS,
    report: buildReport(NO_FACTS, { stages: [] }),
    context: evaluationContextOf(head, { nowMs: deps.clock.now(), budgetUse: null }),
    situation,
    approvals: NO_APPROVALS,
    checkName,
    before,
    policyEdit: null,
  });
  const target = targetOf(run, head, kept.evaluation.checkName);
  const published = await publishProgress(deps, target, kept);
  // The verdict is what matters; that the waiting could not be shown is not worth failing for.
  if (published.state === "failed")
    deps.log.warn({ failure: published.failure.kind }, "progress could not be shown");
}
