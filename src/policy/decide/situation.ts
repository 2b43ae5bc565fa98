import { z } from "zod";
import { HOUR_MS } from "../../kernel/clock.ts";
import { money, type ValueOf } from "../../kernel/schemas.ts";
import type { ContextName, PullFacts } from "../../report/model/context.ts";
import type { Fact, StageFacts } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import type { AttributesByRow } from "../../report/model/resource-attributes.ts";
import { type ExpectationState, evaluateExpectation } from "../expectation.ts";
import type { EvaluationContext } from "../model/context.ts";
import { decideEffect, type Finding, isApprovable, type Verdict } from "../model/finding.ts";
import type { LoadedPolicy } from "../model/loaded-policy.ts";
import type { Policy } from "../model/policy.ts";
import { getVerdict, type LostExecution, type MissingExecution, type Situation } from "../model/situation.ts";
import type { PerformTask } from "../task.ts";
import {
  type AllReadAttempts,
  ATTEMPTS_MS,
  CONTEXT_READS,
  canStillBeRead,
  hasAttemptsLeft,
  isRetried,
  listUnreadContext,
  RETRYABLE_REASONS,
} from "./read-attempts.ts";

/** The inputs that determine the situation of a head. */
export interface SituationInput {
  readonly policy: LoadedPolicy;
  readonly facts: PullFacts;
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly attributes: Fact<AttributesByRow>;
  /** False: there are more statuses and checks than were read, so executions may be missing. */
  readonly claimsComplete: boolean;
  readonly alwaysCheck: boolean;
  /** False: no evaluation follows, so the verdict does not wait, and drafts are decided. */
  readonly canWait: boolean;
  /** Since when this head is known, ms since 1970. */
  readonly sinceMs: number;
  readonly nowMs: number;
  /** Attempts of incomplete reads. */
  readonly attempts: AllReadAttempts;
  readonly perform: PerformTask;
  /** The owner of the policy. */
  readonly owner: string;
}

/** Longest wait for a pending execution, in ms. */
const PENDING_MS = 2 * HOUR_MS;

/** Determines the row of the verdict table: policy first, then awaited executions, then the rules. */
export async function determineSituation(input: SituationInput): Promise<Situation> {
  const { policy } = input;
  switch (policy.state) {
    case "none":
      return { kind: "no_policy", alwaysCheck: input.alwaysCheck };
    case "invalid":
      return { kind: "policy_invalid", problems: policy.problems };
    case "unreadable":
      return { kind: "policy_unreadable", which: policy.level, reason: policy.reason };
    case "found":
      return determineUnderPolicy(input, policy);
  }
}

async function determineUnderPolicy(
  input: SituationInput,
  { policy }: Extract<LoadedPolicy, { state: "found" }>,
): Promise<Situation> {
  const { facts } = input;
  if (!input.claimsComplete) return { kind: "failed", cause: "too_many_claims" };
  if (input.context.draft && input.canWait) return determineDraft(input, policy);
  const { stages } = facts;
  const expected = await evaluateExpected(input, policy);
  const lost = stages.filter(isExecutionLost).map(buildMissingExecution);
  if (expected.state === "waiting" && input.canWait)
    return { kind: "waiting", missing: [...expected.missing, ...lost], deadlineMs: expected.deadlineMs };
  if (expected.state === "waiting" || expected.state === "deadline_passed")
    return endWait(input, [...expected.missing, ...lost]);
  if (expected.state === "not_expected" && hasNoExecutions(facts)) return { kind: "nothing_expected" };
  return findPendingSituation(input) ?? buildEvaluatedSituation(input, await evaluateReport(input, policy));
}

/** A draft shows its missing executions or its provisional verdict, and is never decided. No deadline passes meanwhile. */
async function determineDraft(input: SituationInput, policy: Policy): Promise<Situation> {
  const { facts } = input;
  const expected = await evaluateExpected(input, policy);
  const missing = "missing" in expected ? expected.missing : (findPendingSituation(input)?.missing ?? []);
  const isEvaluated = missing.length === 0 && (expected.state === "met" || !hasNoExecutions(facts));
  const verdict = isEvaluated ? await evaluateReport(input, policy) : null;
  return { kind: "draft", verdict, missing };
}

function evaluateReport(
  { report, context, attributes, perform, owner }: SituationInput,
  policy: Policy,
): Promise<Verdict> {
  return perform({ kind: "evaluate", input: { report, policy, context, attributes }, owner });
}

async function evaluateExpected(input: SituationInput, policy: Policy): Promise<ExpectationState> {
  const { facts, context, sinceMs, nowMs, perform, owner } = input;
  const expectInput = { all: policy.expect, context };
  const expected = await perform({ kind: "expect", input: expectInput, owner });
  const unplanned = (facts.nothingToPlan ?? []).map(({ workspace }) => {
    return { workspace, proven: true, status: "succeeded" } as const;
  });
  return evaluateExpectation({ expected, stages: [...facts.stages, ...unplanned], sinceMs, nowMs });
}

/** Whether no execution is bound. A refused execution counts as one: the rules cannot be evaluated without it. */
const hasNoExecutions = ({ stages, refused }: PullFacts): boolean =>
  stages.length === 0 && refused.every(({ reason }) => reason === "other_account");

type AwaitedSituation = Extract<Situation, { kind: "waiting" | "deadline_passed" }>;

/** The wait for an execution that was restarted long after the push counts from its own start. */
function findPendingSituation(input: SituationInput): AwaitedSituation | null {
  const { facts, sinceMs, nowMs, canWait } = input;
  const pending = facts.stages.filter(({ status }) => status === "pending");
  if (pending.length === 0) return null;
  const missing = pending.map(({ workspace }): MissingExecution => ({ workspace, state: "pending" }));
  const startTimes = pending.map(({ createdMs }) => Math.min(createdMs ?? 0, nowMs));
  const deadlineMs = Math.max(sinceMs, ...startTimes) + PENDING_MS;
  return canWait && nowMs < deadlineMs ? { kind: "waiting", missing, deadlineMs } : endWait(input, missing);
}

const endWait = (
  { canWait }: SituationInput,
  missing: readonly MissingExecution[],
): Extract<Situation, { kind: "deadline_passed" }> => ({
  kind: "deadline_passed",
  missing,
  ...(!canWait && { oneJob: true }),
});

/**
 * A verdict waits while missing facts may still be read: those of an ended execution, or context facts. An
 * unreadable execution is missing even if no rule requires it: its changes are unknown.
 */
function buildEvaluatedSituation(input: SituationInput, verdict: Verdict): Situation {
  const lost = input.facts.stages.filter(isExecutionLost);
  const isLacking = verdict.kind === "undecided" ? canBeDecidedLater(verdict) : canPassWithout(lost, verdict);
  if (!isLacking) return { kind: "evaluated", verdict };
  const unread = input.facts.stages.filter(canStillBeRead);
  const waiting = unread.filter(({ executionId }) => input.canWait && hasAttemptsLeft(input, executionId));
  const unreadContext =
    input.canWait && hasAttemptsLeft(input, CONTEXT_READS)
      ? listUnreadContext(input.policy, input.facts)
      : [];
  if (waiting.length > 0 || unreadContext.length > 0)
    return buildWaitingSituation(input, waiting, unreadContext);
  if (lost.length > 0) return { kind: "execution_unreadable", executions: lost.map(buildLostExecution) };
  const withoutCost = unread.filter(({ cost }) => isRetried(cost));
  if (withoutCost.length === 0) return { kind: "evaluated", verdict };
  return { kind: "cost_unreadable", workspaces: withoutCost.map(({ workspace }) => workspace) };
}

function buildWaitingSituation(
  { attempts, nowMs }: SituationInput,
  stages: readonly StageFacts[],
  unreadContext: readonly ContextName[],
): Situation {
  const tried = [
    ...stages.map(({ executionId }) => executionId),
    ...(unreadContext.length > 0 ? [CONTEXT_READS] : []),
  ];
  const started = tried.map((what) => attempts.get(what)?.firstMs ?? nowMs);
  const deadlineMs = Math.min(...started) + ATTEMPTS_MS;
  return {
    kind: "waiting",
    missing: stages.map(buildMissingExecution),
    ...(unreadContext.length > 0 && { unread: unreadContext }),
    deadlineMs,
  };
}

const buildMissingExecution = ({ workspace, cost }: StageFacts): MissingExecution => {
  const isListed = cost.state !== "unknown" || cost.reason !== "not_listed";
  return { workspace, state: isListed ? "unread" : "not_found" };
};

/** Whether an execution is proven to belong here and not even its workspaces could be read. */
const isExecutionLost = (stage: StageFacts): boolean =>
  stage.proven && stage.status === "unknown" && stage.isUnread === true;

/** Whether the gate could open, by itself or by approvals, although executions are lost: no rule is undecided because of them. */
const canPassWithout = (lost: readonly StageFacts[], { findings }: Verdict): boolean =>
  lost.length > 0 &&
  findings.every((finding) => {
    const effect = decideEffect(finding);
    return effect !== "undecided" && (effect !== "block" || isApprovable(finding));
  });

const buildLostExecution = ({ executionId, cost }: StageFacts): LostExecution => ({
  executionId,
  reason: cost.state === "unknown" ? cost.reason : "not_read",
});

/** Whether another read may help: some rule is undecided because of a fact that may still become known. */
export const canBeDecidedLater = ({ findings }: Verdict): boolean =>
  findings.some(({ because }) =>
    because.some((reason) => reason.kind === "unknown" && RETRYABLE_REASONS.has(reason.reason)),
  );

/** A finding that holds a check back. Amounts are null where the rule is not about money, or figures may not be shown. */
export const OpenFinding = z.object({
  rule: z.string(),
  /** `objected`: an approver requested changes. */
  outcome: z.enum(["violated", "undecided", "objected"]),
  /** See `Finding.subject`. */
  subject: z.string().nullable(),
  /** What the rule found, per month. */
  amount: money.nullable(),
  limit: money.nullable(),
});
export type OpenFinding = ValueOf<typeof OpenFinding>;

/** Returns the findings that hold a check back, as the evaluation before an override or a merge has them. */
export function listOpenFindings(situation: Situation, figures: boolean): readonly OpenFinding[] {
  return (getVerdict(situation)?.findings ?? []).flatMap((finding) => {
    const { rule, subject } = finding;
    const effect = decideEffect(finding);
    if (effect !== "block" && effect !== "undecided") return [];
    const broken = effect === "block" ? "violated" : "undecided";
    const outcome = finding.objections === undefined ? broken : "objected";
    return [{ rule, outcome, subject, ...(figures ? getAmounts(finding) : NO_AMOUNTS) }];
  });
}

const NO_AMOUNTS = { amount: null, limit: null };

function getAmounts({ measured, limit }: Finding): Pick<OpenFinding, "amount" | "limit"> {
  const amount = measured?.kind === "money" ? { amount: measured.amount, currency: measured.currency } : null;
  return { amount, limit: "amount" in limit ? limit.amount : null };
}
