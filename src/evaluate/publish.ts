import type { PullKey } from "../kernel/ids.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { chooseReportOptions } from "../policy/model/policy.ts";
import { formatLaneKey } from "../queue/names.ts";
import { enqueueLane, enqueueMergeGroups } from "../queue/queue.ts";
import { buildReport } from "../report/build.ts";
import type { PullFacts } from "../report/model/context.ts";
import {
  completeEvaluation,
  listPullsAbove,
  listUnpublishedPulls,
  markPublished,
  type StoredEvaluation,
} from "../store/evaluations.ts";
import { findPull } from "../store/pulls.ts";
import { buildCheckTarget, publishHeadCheck, unlessRefused } from "./check.ts";
import type { Decision, GatheredFacts } from "./make-decision.ts";
import { type CurrentHead, findHeadEvaluation, type JobDeps } from "./run/deps.ts";

/**
 * Publishes a saved decision: the check first, then the comment, then whoever waits for the decision.
 *
 * @throws GitHubError, SupersededError
 */
export async function publishDecision(
  current: CurrentHead,
  { stored, policy }: Decision,
  { checkName, shownFacts }: Pick<GatheredFacts, "checkName" | "shownFacts">,
): Promise<void> {
  const { deps, key, attempt, head } = current;
  const target = buildCheckTarget(current, checkName);
  const [published] = await Promise.all([
    deps.telemetry.step("publish check", () =>
      unlessRefused(deps.log, attempt.attempt, () => publishHeadCheck(deps, target)),
    ),
    enqueueDependents(current, stored),
  ]);
  if (published === "published") {
    await markPublished(deps.db, key, stored.digest);
    measureDelay(deps, stored);
  }
  await enqueuePending(current);
  if (shownFacts !== null) await saveShownFacts(current, { stored, policy, facts: await shownFacts });
  // Where a delivery announced another head meanwhile, no check was written. The evaluation of that head is enqueued, and shows its report.
  const known = await findPull(deps.db, key);
  if (known?.head_sha !== head.pull.headSha) return;
  await deps.queue.enqueueComment(formatLaneKey({ kind: "pull", ...key }));
}

/**
 * Enqueues the pull requests whose checks waited for the first evaluation of this one at their common head. A further attempt may follow one
 * that ended before this.
 */
async function enqueuePending(current: CurrentHead): Promise<void> {
  const { deps, key, attempt, head } = current;
  const { headSha, baseRef } = head.pull;
  if (findHeadEvaluation(current)?.evaluation.pull.baseRef === baseRef && attempt.attempt === 1) return;
  for (const { repositoryId, number } of await listUnpublishedPulls(deps.db, { ...key, headSha }))
    await enqueueLane(deps, { kind: "pull", repositoryId, number });
}

/**
 * Enqueues the merge groups of the base branch after any change of the evaluation, because their sums depend on its costs too, and the
 * pull requests above it in its stack. An attempt that ended before its check was published may have saved that change without this.
 */
async function enqueueDependents({ deps, before }: CurrentHead, stored: StoredEvaluation): Promise<void> {
  if (before?.isPublished === true && before.digest === stored.digest) return;
  await enqueueMergeGroups(deps, stored.evaluation.pull);
  await enqueuePullsAbove(deps, stored.evaluation.pull);
}

/** Enqueues the pull requests above one in its stack: they pass only while it does. */
export async function enqueuePullsAbove(deps: JobDeps, key: PullKey): Promise<void> {
  for (const { repositoryId, number } of await listPullsAbove(deps.db, key))
    await enqueueLane(deps, { kind: "pull", repositoryId, number });
}

/** Measures how long the oldest delivery of this evaluation waited for its check. */
function measureDelay({ clock, telemetry }: JobDeps, { evaluation: { check } }: StoredEvaluation): void {
  const since = telemetry.origin()?.receivedAtMs ?? null;
  if (since === null || check.status === "none") return;
  const seconds = Math.max(0, clock.now() - since) / 1_000; // two machines' clocks may differ
  telemetry.observe("tollgate_delivery_to_check_seconds", seconds, { check: check.status });
}

/**
 * Adds the facts that are only shown to the saved evaluation. The verdict does not depend on them, so it
 * stays the same.
 */
async function saveShownFacts(
  { deps, fence, attempt }: CurrentHead,
  saved: { readonly stored: StoredEvaluation; readonly policy: LoadedPolicy; readonly facts: PullFacts },
): Promise<void> {
  if (attempt.signal.aborted) return;
  const { stored, policy, facts } = saved;
  const report = buildReport(facts, chooseReportOptions(policy.state === "found" ? policy.policy : null));
  await completeEvaluation(deps.db, { ...stored, evaluation: { ...stored.evaluation, report } }, fence);
}
