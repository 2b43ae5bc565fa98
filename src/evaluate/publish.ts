import type { PullKey } from "../kernel/ids.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
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
import type { Decision } from "./decide.ts";
import type { GatheredFacts } from "./gather-facts.ts";
import { buildCheckTarget, publishHeadCheck } from "./publish/check.ts";
import { handlePublishOutcome } from "./publish/handle-outcome.ts";
import type { CurrentHead, JobDeps, PullRun } from "./run/deps.ts";

/**
 * Publishes a saved decision: the check first, then the comment, then whoever waits for the decision.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export async function publishDecision(
  { run, head, before }: CurrentHead,
  { decision, facts }: { readonly decision: Decision; readonly facts: GatheredFacts },
): Promise<void> {
  const { deps, key, attempt } = run;
  const { stored, policy } = decision;
  const target = buildCheckTarget(run, head, facts.checkName);
  const [published] = await Promise.all([
    deps.telemetry.step("publish check", () => publishHeadCheck(deps, target)),
    enqueueDependents(deps, stored, before),
  ]);
  if (published.state === "published") {
    await markPublished(deps.db, key, stored.digest);
    measureDelay(deps, stored);
  }
  handlePublishOutcome({ log: deps.log, attempt }, published);
  await enqueuePending({ run, head, before });
  if (facts.shownFacts !== null) await saveShownFacts(run, { stored, policy, shownFacts: facts.shownFacts });
  // Where a delivery told of another head meanwhile, no check was written. The evaluation of that head is enqueued, and shows its report.
  const known = await findPull(deps.db, key);
  if (known?.head_sha !== head.pull.headSha) return;
  await deps.queue.enqueueComment(formatLaneKey({ kind: "pull", ...key }));
}

/**
 * Enqueues the pull requests whose checks waited for the first evaluation of this one at their common head. A further attempt may follow one
 * that ended before this.
 */
async function enqueuePending({
  run: { deps, key, attempt },
  head: { pull },
  before,
}: Pick<CurrentHead, "run" | "head" | "before">): Promise<void> {
  const last = before?.evaluation.pull;
  if (last?.headSha === pull.headSha && last.baseRef === pull.baseRef && attempt.attempt === 1) return;
  const { headSha } = pull;
  for (const { repositoryId, number } of await listUnpublishedPulls(deps.db, { ...key, headSha }))
    await enqueueLane(deps, { kind: "pull", repositoryId, number });
}

/**
 * Enqueues the merge groups of the base branch after any change of the evaluation, because their sums depend on its costs too, and the
 * pull requests above it in its stack. An attempt that ended before its check was published may have saved that change without this.
 */
async function enqueueDependents(
  deps: JobDeps,
  stored: StoredEvaluation,
  before: CurrentHead["before"],
): Promise<void> {
  if (before?.isPublished === true && before.digest === stored.digest) return;
  await enqueueMergeGroups(deps, stored.evaluation.pull);
  await enqueueAbove(deps, stored.evaluation.pull);
}

/** Enqueues the pull requests above one in its stack: they pass only while it does. */
export async function enqueueAbove(deps: JobDeps, key: PullKey): Promise<void> {
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

interface ShownFacts {
  readonly stored: StoredEvaluation;
  readonly policy: LoadedPolicy;
  /** All facts, including those that are only shown. */
  readonly shownFacts: Promise<PullFacts>;
}

/**
 * Adds the facts that are only shown to the saved evaluation. The verdict does not depend on them, so it
 * stays the same.
 */
async function saveShownFacts(
  { deps, fence, attempt }: PullRun,
  { stored, policy, shownFacts }: ShownFacts,
): Promise<void> {
  const facts = await shownFacts;
  if (attempt.signal.aborted) return;
  const report = buildReport(facts, { stages: policy.state === "found" ? policy.policy.stages : [] });
  await completeEvaluation(deps.db, { ...stored, evaluation: { ...stored.evaluation, report } }, fence);
}
