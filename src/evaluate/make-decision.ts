import { once } from "node:events";
import type { HeadState } from "../github/head/head-state.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { AllReadAttempts } from "../policy/decide/read-attempts.ts";
import { determineSituation } from "../policy/decide/situation.ts";
import { describePolicyEdit } from "../policy/describe-edit.ts";
import type { EvaluationContext } from "../policy/model/context.ts";
import type { PolicyEdit } from "../policy/model/evaluation.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import type { Situation } from "../policy/model/situation.ts";
import type { PerformTask } from "../policy/task.ts";
import type { PullFacts } from "../report/model/context.ts";
import type { Fact } from "../report/model/facts.ts";
import type { Report } from "../report/model/report.ts";
import type { AttributesByRow } from "../report/model/resource-attributes.ts";
import { hasCheckRun } from "../store/check-runs.ts";
import { listNewestEvaluations, type StoredEvaluation } from "../store/evaluations.ts";
import { readBudget } from "./budgets.ts";
import { buildEvaluation, buildEvaluationContext } from "./build-evaluation.ts";
import { buildCheckTarget } from "./check.ts";
import { decideConsents } from "./consent.ts";
import type { ConsentBasis, ConsentState } from "./consent-basis.ts";
import type { ConsentLedger } from "./consent-ledger.ts";
import { type CheckPolicy, toPolicyText } from "./load-policy.ts";
import { type CurrentHead, canShowFigures } from "./run/deps.ts";
import { withStack } from "./stack.ts";

/** What was read for a decision on a head. */
export interface GatheredFacts extends CheckPolicy {
  readonly facts: PullFacts;
  readonly report: Report;
  readonly attributes: Fact<AttributesByRow>;
  readonly consents: ConsentState;
  /** All facts including those that are only shown, once they are read; null: there are none of these. */
  readonly shownFacts: Promise<PullFacts> | null;
}

/** The input of a decision. */
export interface DecisionBasis extends GatheredFacts {
  readonly attempts: AllReadAttempts;
  /** The result of an earlier round of this evaluation; undefined: this is the first round. */
  readonly policyEdit?: PolicyEdit | null;
}

/** The result of an evaluation. Nothing is saved or shown yet. */
export interface Decision {
  readonly stored: StoredEvaluation;
  /** The changes of approvals and overrides, and the answers to commands. */
  readonly consents: ConsentLedger;
  /** Whether more commands wait than this evaluation read. */
  readonly hasMoreCommands: boolean;
  /** Version of the budget use that the decision depends on; null: it depends on none. */
  readonly budgetVersion: number | null;
  readonly policy: LoadedPolicy;
  readonly attempts: AllReadAttempts;
  /** When the decision was made, ms since 1970. */
  readonly decidedMs: number;
}

/** Decides the situation, the approvals and the check. Writes nothing. */
export async function makeDecision(current: CurrentHead, basis: DecisionBasis): Promise<Decision> {
  const { policy, attempts } = basis;
  const decidedMs = current.deps.clock.now();
  const budget = await readBudget(current, basis, decidedMs);
  const context = buildEvaluationContext(current, { nowMs: decidedMs, budgetUse: budget?.use ?? null });
  const situation = await decideSituation(current, basis, context);
  const unapproved = { ...basis, context, situation };
  const decided = await decideConsents(current, unapproved, basis.consents);
  const { consents, ...approved } = withStack(decided, current.stack);
  const policyEdit =
    basis.policyEdit === undefined ? await tryPolicyEdit(current, unapproved) : basis.policyEdit;
  const stored = buildEvaluation(current, { ...unapproved, ...approved, policyEdit });
  const hasMoreCommands = basis.consents.hasMore;
  const budgetVersion = budget?.version ?? null;
  return { stored, consents, hasMoreCommands, budgetVersion, policy, attempts, decidedMs };
}

/** Decides the situation before approvals. */
async function decideSituation(
  current: CurrentHead,
  { policy, facts, report, attributes, attempts, checkName }: DecisionBasis,
  context: EvaluationContext,
): Promise<Situation> {
  const { deps, key, head, sinceMs } = current;
  const { operator, policies, isOneShot } = deps;
  return determineSituation({
    policy,
    facts,
    report,
    context,
    attributes,
    claimsComplete: head.claimsComplete,
    alwaysCheck: operator.alwaysCheck || (policy.state === "none" && (await hasCheck(current, checkName))),
    canWait: !isOneShot,
    sinceMs,
    nowMs: context.nowMs,
    attempts,
    perform: policies.inForce,
    owner: String(key.repositoryId),
  });
}

/**
 * Whether the head already has a check. Such a head always gets one; otherwise removing the policy would
 * leave a required check pending for ever.
 */
async function hasCheck(current: CurrentHead, checkName: string): Promise<boolean> {
  const target = buildCheckTarget(current, checkName);
  return target.listedRun !== null || hasCheckRun(current.deps.db, target);
}

/**
 * Longest time that a verdict waits for the evaluation of an edited policy, in ms. Meanwhile the check shows
 * the previous verdict, and the author of the edit determines how slow the evaluation is.
 */
const TRIAL_MS = 5_000;

/** Returns the effect of the head's own edit of the policy; null: it edits nothing. */
export async function tryPolicyEdit(
  { deps, key, head }: CurrentHead,
  { policy, report, context, attributes }: ConsentBasis & Pick<GatheredFacts, "attributes">,
): Promise<PolicyEdit | null> {
  const { repository, head: edited, organisation } = head.policy;
  if (policy.state !== "found" || !isEdit(repository, edited)) return null;
  const isShown = canShowFigures(deps.operator, head.repository);
  const past = isShown
    ? await listNewestEvaluations(deps.db, { repositoryId: key.repositoryId, exceptNumber: key.number })
    : [];
  const input = {
    base: policy.written ?? policy.policy,
    owner: String(head.repository.id),
    headText: toPolicyText(edited),
    organisation: toPolicyText(organisation),
    report: isShown ? report : null,
    context,
    attributes,
    pastPulls: past
      // An evaluation whose figures readers could not see stays redacted.
      .filter(({ pull, report: pastReport }) => pull.figures && pastReport.stages.length > 0)
      .map(({ pull, report: pastReport, context: pastContext }) => ({
        number: pull.number,
        report: pastReport,
        context: pastContext,
      })),
  };
  return describePolicyEdit(input, performInTime(deps.policies.proposed));
}

/**
 * Whether the head edits the policy. Only a readable difference is an edit: a fork's branch may contain an
 * older file, which a merge does not restore.
 */
function isEdit(base: HeadState["policy"]["head"], edited: HeadState["policy"]["head"]): boolean {
  if (edited.state === "unreadable" || base.state === "unreadable") return false;
  const blob = (file: typeof base) => (file.state === "found" ? file.blob : null);
  return blob(base) !== blob(edited);
}

/**
 * Returns a performer that stops waiting for its tasks when the time of the trial is over. A late task continues within its own limits.
 *
 * @throws TollgateError `evaluation_busy` from then on
 */
function performInTime(perform: PerformTask): PerformTask {
  const signal = AbortSignal.timeout(TRIAL_MS);
  const late = once(signal, "abort").then((): never => {
    throw new TollgateError("evaluation_busy", "policies took too long to evaluate", { retryable: true });
  });
  late.catch(() => {}); // the caller may have stopped waiting for it
  return (task) => (signal.aborted ? late : Promise.race([perform(task), late]));
}
