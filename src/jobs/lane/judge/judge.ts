import { wasRemoved } from "../../../github/head/files/removal.ts";
import type { HeadState } from "../../../github/head/head-state.ts";
import { TollgateError } from "../../../kernel/errors.ts";
import type { PolicyEdit } from "../../../policy/evaluation.ts";
import { buildReport } from "../../../report/build.ts";
import type { PullFacts } from "../../../report/pull-facts.ts";
import type { Report } from "../../../report/report.ts";
import { findRun } from "../../../store/check-runs.ts";
import {
  decisionText,
  findEvaluation,
  type KeptEvaluation,
  settleEvaluation,
} from "../../../store/evaluations.ts";
import { keepSigning } from "../../approvals/keep-signing.ts";
import type { Outcome } from "../../approvals/outcome.ts";
import { readSigning, type Signing } from "../../approvals/read-signing.ts";
import { sign } from "../../approvals/sign.ts";
import { keepPlans, readBudget } from "../../budgets/read.ts";
import { wakeBudgets } from "../../budgets/wake.ts";
import { gatherFacts } from "../../gather/gather.ts";
import { laneKey } from "../../lane-key.ts";
import { publishGate } from "../../publish/check.ts";
import { settle } from "../../publish/settle.ts";
import { wakeGroups } from "../../wake.ts";
import { targetOf } from "../check-target.ts";
import { nameOfCheck, toEvaluation, verdictTimeBefore } from "../evaluation.ts";
import { keep } from "../keep.ts";
import { keepMore } from "../keep-more.ts";
import { earliest, nextLook, waiverLook } from "../next-look.ts";
import { showProgressMeanwhile } from "../progress.ts";
import type { PullRun } from "../pull-run.ts";
import { countUnread } from "./count-unread.ts";
import { judgeContextOf } from "./judge-context.ts";
import { type LoadedPolicy, loadPolicy, ownerOf } from "./policy.ts";
import { retireOldName } from "./retire-name.ts";
import { situationOf } from "./situation.ts";
import { tryPolicyEdit } from "./try-edit.ts";
import type { AllTries } from "./unread.ts";

/** Judges an open head: facts, report, rules, then the check, then the comment, then whoever waits for this verdict. */
export async function judgeHead(run: PullRun, head: HeadState, { sinceMs, mayLag }: Seen): Promise<void> {
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
  const checkName = nameOfCheck(policy, pull.baseRef, before);
  const [{ facts, more }, signing] = await showProgressMeanwhile(
    run,
    { head, policy, before, checkName },
    () => Promise.all([gatherFacts(deps, head, policy), readSigning(run, head)]),
  );
  await retireOldName(run, head, { before, checkName });
  const decided = await decideAndKeep(run, { head, policy, facts, signing, sinceMs, checkName, before });
  if (decided === null) return;
  const { kept, lookMs } = decided;
  if (decided.budgetsChanged) await wakeBudgets(deps, run.key);
  const lane = laneKey({ kind: "pull", ...run.key });
  const published = await publishGate(deps, targetOf(run, head, checkName));
  if (published.state === "published") await settleEvaluation(deps.db, run.key, kept.digest);
  settle({ log: deps.log, attempt: run.attempt }, published);
  await keepMore(run, { kept, policy, facts: more });
  await deps.queue.askComment(lane);
  if (before === null || standsOn(before) !== standsOn(kept))
    await wakeGroups(deps, { repositoryId: repository.id, baseRef: pull.baseRef });
  const again = mayLag ? deps.clock.now() + LAG_MS : null;
  const alarm = again ?? lookMs;
  if (alarm !== null) await deps.queue.setAlarm(lane, alarm);
}

/** What a merge group looks at: the decision, and of which head under which policy it is. */
const standsOn = ({ evaluation: { check, pull }, policyBlobs }: KeptEvaluation): string =>
  JSON.stringify([decisionText(check), pull.headSha, policyBlobs]);

/** GitHub's copies lag by seconds at most. */
const LAG_MS = 3_000;

/** What the store knows about this head. */
export interface Seen {
  /** Since when it is known, ms since 1970. */
  readonly sinceMs: number;
  /** A delivery announced another head than this read shows: GitHub's copies may lag, so it is looked at once more. */
  readonly mayLag: boolean;
}

interface Read {
  readonly head: HeadState;
  readonly policy: LoadedPolicy;
  readonly facts: PullFacts;
  readonly signing: Signing;
  readonly sinceMs: number;
  readonly checkName: string;
  readonly before: KeptEvaluation | null;
}

interface Decided {
  readonly kept: KeptEvaluation;
  /** What came of signatures and commands. */
  readonly signed: Outcome;
  readonly lookMs: number | null;
  /** What counted towards budgets when it was made; null: it does not rest on any. */
  readonly budgetVersion: number | null;
}

/** Decisions that others overtook are made anew so often in one run. */
const ROUNDS = 5;

/** Null: a later run took over. */
async function decideAndKeep(
  run: PullRun,
  read: Read,
): Promise<(Decided & { readonly budgetsChanged: boolean }) | null> {
  const { deps, key } = run;
  const { policy, facts, sinceMs } = read;
  const report = buildReport(facts, { stages: policy.state === "found" ? policy.policy.stages : [] });
  if (await keepPlans(deps, { key, report, sinceMs })) await wakeBudgets(deps, key);
  const attempts = await countUnread(run, read);
  let policyEdit: PolicyEdit | null | undefined;
  for (let round = 1; round <= ROUNDS; round++) {
    const decided = await decide(run, { ...read, report, attempts, policyEdit });
    policyEdit = decided.kept.evaluation.policyEdit;
    const saved = await keep(run, decided);
    if (saved.state === "superseded") return null;
    if (saved.state === "overtaken") continue;
    if (!(await keepSigning(run, decided.kept.evaluation, decided.signed))) return null;
    return { ...decided, budgetsChanged: saved.budgetsChanged };
  }
  throw new TollgateError("internal", "what counts towards budgets changes again and again", {
    retryable: true,
  });
}

async function decide(
  run: PullRun,
  read: Read & {
    readonly report: Report;
    readonly attempts: AllTries;
    /** What an earlier round found; undefined: this is the first one. */
    readonly policyEdit: PolicyEdit | null | undefined;
  },
): Promise<Decided> {
  const { deps, key } = run;
  const { head, policy, facts, report, attempts, signing, sinceMs, checkName, before } = read;
  const nowMs = deps.clock.now();
  const budget = await readBudget(deps, { key, policy, report, sinceMs });
  const context = judgeContextOf(head, { nowMs, budgetUse: budget?.use ?? null });
  const unsigned = await situationOf({
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
  const at = { head, policy, report, context, situation: unsigned, evaluatedMs };
  const { situation, approvals, outcome } = await sign(run, at, signing);
  const policyEdit = read.policyEdit === undefined ? await tryPolicyEdit(run, at) : read.policyEdit;
  const kept = toEvaluation(deps, { ...at, facts, situation, approvals, checkName, before, policyEdit });
  const looks = [nextLook(situation, attempts, nowMs), waiverLook(situation, policy, nowMs)];
  return { kept, signed: outcome, lookMs: earliest(looks), budgetVersion: budget?.version ?? null };
}

/** A head that once had a check keeps one, so that taking the policy away does not leave it held for ever. */
async function hasCheck(run: PullRun, head: HeadState, checkName: string): Promise<boolean> {
  const target = targetOf(run, head, checkName);
  if (target.listed !== null) return true;
  return ((await findRun(run.deps.db, target))?.checkRunId ?? null) !== null;
}
