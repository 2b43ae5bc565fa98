import type { ContextName } from "../../report/model/context.ts";
import type { StageFacts } from "../../report/model/facts.ts";
import type { PullFacts } from "../../report/model/pull-facts.ts";
import type { Report } from "../../report/model/report.ts";
import { effectOf } from "../evaluate/evaluate-policy.ts";
import { type ExpectationState, expectationState } from "../expect/expectation.ts";
import type { EvaluationContext } from "../model/context.ts";
import { isApprovable, type Verdict } from "../model/finding.ts";
import type { LoadedPolicy } from "../model/loaded-policy.ts";
import type { Policy } from "../model/policy.ts";
import type { LostExecution, MissingExecution, Situation } from "../model/situation.ts";
import { isUnread } from "../scope/scope.ts";
import type { PerformTask } from "../tasks/task.ts";
import {
  type AllTries,
  AROUND,
  ATTEMPTS_MS,
  hasTriesLeft,
  isRetried,
  mayStillBeRead,
  RETRIED,
  unreadAround,
} from "./unread.ts";

/** All that decides where a head stands. */
export interface SituationInput {
  readonly policy: LoadedPolicy;
  readonly facts: PullFacts;
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly changedFiles: readonly string[];
  readonly filesComplete: boolean;
  /** False: there are more statuses and checks than were read, so executions may be missing. */
  readonly claimsComplete: boolean;
  readonly alwaysCheck: boolean;
  /** Since when this head is known, ms since 1970. */
  readonly sinceMs: number;
  readonly nowMs: number;
  /** Reads that left something open. */
  readonly attempts: AllTries;
  readonly perform: PerformTask;
  /** Whose policy it is. */
  readonly owner: string;
}

/** An execution that runs is waited for this long, in ms. */
const PENDING_MS = 2 * 3_600_000;

/** Which row of the verdict table applies: policy first, then what is waited for, then the rules. */
export async function situationOf(standing: SituationInput): Promise<Situation> {
  const { policy } = standing;
  switch (policy.state) {
    case "none":
      return { kind: "no_policy", alwaysCheck: standing.alwaysCheck };
    case "invalid":
      return { kind: "policy_invalid", problems: policy.problems };
    case "unreadable":
      return { kind: "policy_unreadable", which: policy.which, reason: policy.reason };
    case "found":
      return underPolicy(standing, policy);
  }
}

async function underPolicy(
  standing: SituationInput,
  { policy }: Extract<LoadedPolicy, { state: "found" }>,
): Promise<Situation> {
  const { facts } = standing;
  if (!standing.claimsComplete) return { kind: "failed", cause: "too_many_claims" };
  if (standing.context.draft) return asDraft(standing, policy);
  const { stages } = facts;
  const expected = await expectationOf(standing, policy);
  const lost = stages.filter(isLost).map(lacking);
  if (expected.state === "waiting")
    return { kind: "waiting", missing: [...expected.missing, ...lost], deadlineMs: expected.deadlineMs };
  if (expected.state === "deadline_passed")
    return { kind: "deadline_passed", missing: [...expected.missing, ...lost] };
  if (expected.state === "not_expected" && namesNothing(facts)) return { kind: "nothing_expected" };
  return pendingSituation(standing) ?? judged(standing, await evaluate(standing, policy));
}

/** What a draft lacks, or what the rules say of it as it is: told, and never decided. No deadline passes meanwhile. */
async function asDraft(standing: SituationInput, policy: Policy): Promise<Situation> {
  const { facts } = standing;
  const expected = await expectationOf(standing, policy);
  const missing = "missing" in expected ? expected.missing : (pendingSituation(standing)?.missing ?? []);
  const isEvaluated = missing.length === 0 && (expected.state === "met" || !namesNothing(facts));
  const verdict = isEvaluated ? await evaluate(standing, policy) : null;
  return { kind: "draft", verdict, missing };
}

function evaluate({ report, context, perform, owner }: SituationInput, policy: Policy): Promise<Verdict> {
  return perform({ kind: "evaluate", given: { report, policy, context }, owner });
}

async function expectationOf(standing: SituationInput, policy: Policy): Promise<ExpectationState> {
  const { facts, changedFiles, filesComplete, sinceMs, nowMs, perform, owner } = standing;
  const given = { all: policy.expect, files: { changedFiles, filesComplete } };
  const expected = await perform({ kind: "expect", given, owner });
  return expectationState({ expected, stages: facts.stages, sinceMs, nowMs });
}

/** An execution that may not be shown here is one nevertheless: the rules cannot be judged without it. */
const namesNothing = ({ stages, refused }: PullFacts): boolean =>
  stages.length === 0 && refused.every(({ reason }) => reason === "other_account");

type AwaitedSituation = Extract<Situation, { kind: "waiting" | "deadline_passed" }>;

/** A run that was begun again long after the push is waited for from its own beginning. */
function pendingSituation({ facts, sinceMs, nowMs }: SituationInput): AwaitedSituation | null {
  const pending = facts.stages.filter(({ status }) => status === "pending");
  if (pending.length === 0) return null;
  const missing = pending.map(({ workspace }): MissingExecution => ({ workspace, state: "pending" }));
  const begun = pending.map(({ createdMs }) => Math.min(createdMs ?? 0, nowMs));
  const deadlineMs = Math.max(sinceMs, ...begun) + PENDING_MS;
  return nowMs < deadlineMs ? { kind: "waiting", missing, deadlineMs } : { kind: "deadline_passed", missing };
}

/**
 * A verdict waits while what it lacks may still be read: what an ended execution does not tell yet, or a fact around it. An
 * execution of which nothing could be read is lacking even if no rule asks for it: nobody knows what it would change.
 */
function judged(standing: SituationInput, verdict: Verdict): Situation {
  const lost = standing.facts.stages.filter(isLost);
  const isLacking = verdict.kind === "undecided" ? mayBeDecidedLater(verdict) : passesWithout(lost, verdict);
  if (!isLacking) return { kind: "judged", verdict };
  const unread = standing.facts.stages.filter(mayStillBeRead);
  const waiting = unread.filter(({ executionId }) => hasTriesLeft(standing, executionId));
  const around = hasTriesLeft(standing, AROUND) ? unreadAround(standing.policy, standing.facts) : [];
  if (waiting.length > 0 || around.length > 0) return waitingFor(standing, waiting, around);
  if (lost.length > 0) return { kind: "execution_unreadable", executions: lost.map(lostExecution) };
  const withoutCost = unread.filter(({ cost }) => isRetried(cost));
  if (withoutCost.length === 0) return { kind: "judged", verdict };
  return { kind: "cost_unreadable", workspaces: withoutCost.map(({ workspace }) => workspace) };
}

function waitingFor(
  { attempts, nowMs }: SituationInput,
  stages: readonly StageFacts[],
  around: readonly ContextName[],
): Situation {
  const tried = [...stages.map(({ executionId }) => executionId), ...(around.length > 0 ? [AROUND] : [])];
  const started = tried.map((what) => attempts.get(what)?.firstMs ?? nowMs);
  const deadlineMs = Math.min(...started) + ATTEMPTS_MS;
  return {
    kind: "waiting",
    missing: stages.map(lacking),
    ...(around.length > 0 && { unread: around }),
    deadlineMs,
  };
}

const lacking = ({ workspace, cost }: StageFacts): MissingExecution => {
  const isListed = cost.state !== "unknown" || cost.reason !== "not_listed";
  return { workspace, state: isListed ? "unread" : "not_found" };
};

/** An execution of which not even the workspaces could be read, although it is ours. */
const isLost = (stage: StageFacts): boolean => stage.proven && stage.status === "unknown" && isUnread(stage);

/** Whether the gate would open, by itself or by approvals, although executions are lost: no rule is undecided for want of them. */
const passesWithout = (lost: readonly StageFacts[], { findings }: Verdict): boolean =>
  lost.length > 0 &&
  findings.every((finding) => {
    const effect = effectOf(finding);
    return effect !== "undecided" && (effect !== "block" || isApprovable(finding));
  });

const lostExecution = ({ executionId, cost }: StageFacts): LostExecution => ({
  executionId,
  reason: cost.state === "unknown" ? cost.reason : "not_read",
});

/** Whether another read may help: some rule is undecided for want of what may still be told. */
export const mayBeDecidedLater = ({ findings }: Verdict): boolean =>
  findings.some(({ because }) =>
    because.some((reason) => reason.kind === "unknown" && RETRIED.has(reason.reason)),
  );
