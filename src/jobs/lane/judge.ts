import type { HeadState } from "../../github/head/head-state.ts";
import type { Situation } from "../../policy/situation.ts";
import { buildReport } from "../../report/build.ts";
import type { PullFacts } from "../../report/facts.ts";
import { appendDecision } from "../../store/decisions.ts";
import {
  decisionText,
  findEvaluation,
  type KeptEvaluation,
  saveEvaluation,
} from "../../store/evaluations.ts";
import { countAttempt, type ReadAttempts } from "../../store/read-attempts.ts";
import { gatherFacts } from "../gather/gather.ts";
import { laneKey } from "../lane-key.ts";
import { publishGate } from "../publish/check.ts";
import { settle } from "../publish/settle.ts";
import { targetOf } from "./check-target.ts";
import { toEvaluation } from "./evaluation.ts";
import { type LoadedPolicy, loadPolicy } from "./policy.ts";
import { showProgressMeanwhile } from "./progress.ts";
import type { PullRun } from "./pull-run.ts";
import { mayStillBeRead, situationOf } from "./situation.ts";

/** Judges an open head: facts, report, rules, then the check, then the comment. */
export async function judgeHead(run: PullRun, head: HeadState, { sinceMs, mayLag }: Seen): Promise<void> {
  const { deps } = run;
  const { repository, pull } = head;
  const place = { repositoryId: repository.id, baseRef: pull.baseRef, files: head.policy };
  const policy = await loadPolicy(deps, place);
  const before = await findEvaluation(deps.db, run.key);
  const facts = await showProgressMeanwhile(run, { head, policy, before }, () =>
    gatherFacts(deps, head, policy),
  );
  const { kept, lookMs } = await decide(run, { head, policy, facts, sinceMs });
  if (!(await run.stillCurrent())) return;
  await keep(run, kept, before);
  const lane = laneKey({ kind: "pull", ...run.key });
  const target = targetOf(run, head, kept.evaluation.checkName);
  settle(deps, await publishGate(deps, target));
  await deps.queue.askComment(lane);
  const again = mayLag ? deps.clock.now() + LAG_MS : null;
  const alarm = again ?? lookMs;
  if (alarm !== null) await deps.queue.setAlarm(lane, alarm);
}

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
  readonly sinceMs: number;
}

interface Decided {
  readonly kept: KeptEvaluation;
  readonly lookMs: number | null;
}

async function decide(run: PullRun, { head, policy, facts, sinceMs }: Read): Promise<Decided> {
  const { deps } = run;
  const report = buildReport(facts, { stages: policy.state === "found" ? policy.policy.stages : [] });
  const nowMs = deps.clock.now();
  const attempts = await countUnread(run, head, facts);
  const situation = situationOf({
    policy,
    facts,
    report,
    changedFiles: head.pull.paths,
    filesComplete: head.pull.pathsComplete,
    alwaysCheck: deps.operator.alwaysCheck,
    sinceMs,
    nowMs,
    attempts,
  });
  const kept = toEvaluation(deps, { head, policy, facts, report, situation });
  return { kept, lookMs: nextLook(situation, attempts, nowMs) };
}

/** Each read of an ended execution that brought no cost counts as a try. */
async function countUnread(
  run: PullRun,
  head: HeadState,
  facts: PullFacts,
): Promise<ReadonlyMap<string, ReadAttempts>> {
  const { deps } = run;
  const made = new Map<string, ReadAttempts>();
  for (const { org, project, executionId } of facts.stages.filter(mayStillBeRead)) {
    if (made.has(executionId)) continue;
    const key = { repositoryId: head.repository.id, headSha: head.pull.headSha, org, project, executionId };
    made.set(executionId, await countAttempt(deps.db, key, new Date(deps.clock.now())));
  }
  return made;
}

/** Stores and audits before anything is shown, so that what GitHub shows can always be looked up here. */
async function keep({ deps }: PullRun, kept: KeptEvaluation, before: KeptEvaluation | null): Promise<void> {
  const now = new Date(deps.clock.now());
  await saveEvaluation(deps.db, kept, now);
  if (before?.digest === kept.digest || kept.evaluation.check.status === "none") return;
  const { pull, situation, check, checkName, policySources } = kept.evaluation;
  const findings = situation.kind === "judged" ? situation.verdict.findings : [];
  const record = {
    kind: "verdict" as const,
    repositoryId: pull.repositoryId,
    number: pull.number,
    headSha: pull.headSha,
    baseRef: pull.baseRef,
    checkName,
    digest: kept.digest,
    situation: situation.kind,
    decision: decisionText(check),
    policyBlobs: policySources.map(({ blob }) => blob),
    findings: findings.map(({ rule, outcome, subject }) => ({ rule, outcome, subject })),
  };
  await appendDecision(deps.db, record, now);
}

/** Pauses between tries of an unreadable cost, in ms: five tries fit into the minute. */
const RETRY_MS: readonly number[] = [2_000, 4_000, 8_000, 16_000];

/** When the lane must look again though nothing may happen: the next try of a cost, or the end of the waiting. Null: never. */
function nextLook(
  situation: Situation,
  attempts: ReadonlyMap<string, ReadAttempts>,
  nowMs: number,
): number | null {
  if (situation.kind !== "waiting") return null;
  if (attempts.size === 0) return Math.max(situation.deadlineMs, nowMs) + 1_000;
  const most = Math.max(...[...attempts.values()].map((made) => made.attempts));
  return nowMs + (RETRY_MS[most - 1] ?? 0);
}
