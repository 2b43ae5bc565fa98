import type { HeadState } from "../github/head/head-state.ts";
import { wasRemoved } from "../github/head/removal.ts";
import { TollgateError } from "../kernel/errors.ts";
import { situationOf } from "../policy/decide/situation.ts";
import type { AllTries } from "../policy/decide/unread.ts";
import type { PolicyEdit } from "../policy/model/evaluation.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { enqueueMergeGroups } from "../queue/enqueue.ts";
import { laneKey } from "../queue/lane-key.ts";
import { buildReport } from "../report/build.ts";
import type { PullFacts } from "../report/model/pull-facts.ts";
import type { Report } from "../report/model/report.ts";
import { findRun } from "../store/check-runs.ts";
import { decisionText, findEvaluation, markPublished, type StoredEvaluation } from "../store/evaluations.ts";
import { decideApprovals } from "./approvals/decide-approvals.ts";
import type { CommandOutcome } from "./approvals/outcome.ts";
import { type ApprovalState, readApprovalState } from "./approvals/read-state.ts";
import { saveCommandOutcome } from "./approvals/save-outcome.ts";
import { enqueueBudgetPulls } from "./budgets/enqueue.ts";
import { readBudget, savePlans } from "./budgets/read.ts";
import { countUnread } from "./count-unread.ts";
import { checkNameOf, toEvaluation, verdictTimeBefore } from "./evaluation.ts";
import { evaluationContextOf } from "./evaluation-context.ts";
import { gatherFacts } from "./facts/gather.ts";
import { loadPolicy, ownerOf } from "./policy/load-policy.ts";
import { showProgressMeanwhile } from "./progress.ts";
import { publishGate } from "./publish/check.ts";
import { targetOf } from "./publish/check-target.ts";
import { handlePublishOutcome } from "./publish/settle.ts";
import { retireOldName } from "./retire-name.ts";
import type { PullRun } from "./run/pull-run.ts";
import { saveShownFacts } from "./save-shown-facts.ts";
import { saveVerdict } from "./save-verdict.ts";
import { earliest, nextEvaluationMs, nextWaiverMs } from "./schedule.ts";
import { tryPolicyEdit } from "./try-policy-edit.ts";

/** Judges an open head: facts, report, rules, then the check, then the comment, then whoever waits for this verdict. */
export async function evaluateHead(
  run: PullRun,
  head: HeadState,
  { sinceMs, mayLag }: HeadHistory,
): Promise<void> {
  const { deps } = run;
  const { repository, pull } = head;
  const { baseRef } = pull;
  const policy = await loadPolicy(deps, {
    repositoryId: repository.id,
    baseRef,
    files: head.policy,
    wasRemoved: (which) => wasRemoved(run.client, { repository, baseRef, which }),
  });
  const before = await findEvaluation(deps.db, run.key);
  const checkName = checkNameOf(policy, pull.baseRef, before);
  const [{ facts, more }, approvalState] = await showProgressMeanwhile(
    run,
    { head, policy, before, checkName },
    () => Promise.all([gatherFacts(deps, head, policy), readApprovalState(run, head)]),
  );
  await retireOldName(run, head, { before, checkName });
  const decided = await decideAndSave(run, {
    head,
    policy,
    facts,
    approvalState,
    sinceMs,
    checkName,
    before,
  });
  if (decided === null) return;
  const { kept, nextMs } = decided;
  if (decided.budgetsChanged) await enqueueBudgetPulls(deps, run.key);
  const lane = laneKey({ kind: "pull", ...run.key });
  const published = await publishGate(deps, targetOf(run, head, checkName));
  if (published.state === "published") await markPublished(deps.db, run.key, kept.digest);
  handlePublishOutcome({ log: deps.log, attempt: run.attempt }, published);
  await saveShownFacts(run, { kept, policy, facts: more });
  await deps.queue.enqueueComment(lane);
  if (before === null || mergeQueueKey(before) !== mergeQueueKey(kept))
    await enqueueMergeGroups(deps, { repositoryId: repository.id, baseRef: pull.baseRef });
  const again = mayLag ? deps.clock.now() + LAG_MS : null;
  const alarm = again ?? nextMs;
  if (alarm !== null) await deps.queue.setAlarm(lane, alarm);
}

/** What a merge group looks at: the decision, and of which head under which policy it is. */
const mergeQueueKey = ({ evaluation: { check, pull }, policyBlobs }: StoredEvaluation): string =>
  JSON.stringify([decisionText(check), pull.headSha, policyBlobs]);

/** GitHub's copies lag by seconds at most. */
const LAG_MS = 3_000;

/** What the store knows about this head. */
export interface HeadHistory {
  /** Since when it is known, ms since 1970. */
  readonly sinceMs: number;
  /** A delivery announced another head than this read shows: GitHub's copies may lag, so it is looked at once more. */
  readonly mayLag: boolean;
}

interface EvaluationInput {
  readonly head: HeadState;
  readonly policy: LoadedPolicy;
  readonly facts: PullFacts;
  readonly approvalState: ApprovalState;
  readonly sinceMs: number;
  readonly checkName: string;
  readonly before: StoredEvaluation | null;
}

interface Decision {
  readonly kept: StoredEvaluation;
  /** What came of signatures and commands. */
  readonly outcome: CommandOutcome;
  readonly nextMs: number | null;
  /** What counted towards budgets when it was made; null: it does not rest on any. */
  readonly budgetVersion: number | null;
}

/** Decisions that others overtook are made anew so often in one run. */
const ROUNDS = 5;

/** Null: a later run took over. */
async function decideAndSave(
  run: PullRun,
  read: EvaluationInput,
): Promise<(Decision & { readonly budgetsChanged: boolean }) | null> {
  const { deps, key } = run;
  const { policy, facts, sinceMs } = read;
  const report = buildReport(facts, { stages: policy.state === "found" ? policy.policy.stages : [] });
  if (await savePlans(deps, { key, report, sinceMs })) await enqueueBudgetPulls(deps, key);
  const attempts = await countUnread(run, read);
  let policyEdit: PolicyEdit | null | undefined;
  for (let round = 1; round <= ROUNDS; round++) {
    const decided = await decide(run, { ...read, report, attempts, policyEdit });
    policyEdit = decided.kept.evaluation.policyEdit;
    const saved = await saveVerdict(run, decided);
    if (saved.state === "superseded") return null;
    if (saved.state === "overtaken") continue;
    if (!(await saveCommandOutcome(run, decided.kept.evaluation, decided.outcome))) return null;
    return { ...decided, budgetsChanged: saved.budgetsChanged };
  }
  throw new TollgateError("internal", "what counts towards budgets changes again and again", {
    retryable: true,
  });
}

async function decide(
  run: PullRun,
  read: EvaluationInput & {
    readonly report: Report;
    readonly attempts: AllTries;
    /** What an earlier round found; undefined: this is the first one. */
    readonly policyEdit: PolicyEdit | null | undefined;
  },
): Promise<Decision> {
  const { deps, key } = run;
  const { head, policy, facts, report, attempts, approvalState, sinceMs, checkName, before } = read;
  const nowMs = deps.clock.now();
  const budget = await readBudget(deps, { key, policy, report, sinceMs });
  const context = evaluationContextOf(head, { nowMs, budgetUse: budget?.use ?? null });
  const unapproved = await situationOf({
    policy,
    facts,
    report,
    context,
    changedFiles: head.pull.paths,
    filesComplete: head.pull.pathsComplete,
    claimsComplete: head.claimsComplete,
    alwaysCheck:
      deps.operator.alwaysCheck || (policy.state === "none" && (await hasCheck(run, head, checkName))),
    sinceMs,
    nowMs,
    attempts,
    perform: deps.policies.inForce,
    owner: ownerOf(key.repositoryId),
  });
  const evaluatedMs = verdictTimeBefore(head.pull, before);
  const at = { head, policy, report, context, situation: unapproved, evaluatedMs };
  const { situation, approvals, outcome } = await decideApprovals(run, at, approvalState);
  const policyEdit = read.policyEdit === undefined ? await tryPolicyEdit(run, at) : read.policyEdit;
  const kept = toEvaluation(deps, { ...at, facts, situation, approvals, checkName, before, policyEdit });
  const looks = [nextEvaluationMs(situation, attempts, nowMs), nextWaiverMs(situation, policy, nowMs)];
  return { kept, outcome: outcome, nextMs: earliest(looks), budgetVersion: budget?.version ?? null };
}

/** A head that once had a check keeps one, so that taking the policy away does not leave it held for ever. */
async function hasCheck(run: PullRun, head: HeadState, checkName: string): Promise<boolean> {
  const target = targetOf(run, head, checkName);
  if (target.listed !== null) return true;
  return ((await findRun(run.deps.db, target))?.checkRunId ?? null) !== null;
}
