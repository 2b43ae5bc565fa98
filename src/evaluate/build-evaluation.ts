import { findForeignPosters } from "../github/checks/publish-check.ts";
import type { HeadState } from "../github/head/head-state.ts";
import { findYearRest } from "../kernel/fiscal-periods.ts";
import type { Sha } from "../kernel/ids.ts";
import { decideCheck } from "../policy/decide-check.ts";
import type { EvaluationContext } from "../policy/model/context.ts";
import type { Evaluation, FirstEvaluation, PolicyEdit, PreviousHead } from "../policy/model/evaluation.ts";
import { joinPolicyBlobs, type LoadedPolicy } from "../policy/model/loaded-policy.ts";
import type { Policy } from "../policy/model/policy.ts";
import type { PolicySource } from "../policy/model/situation.ts";
import type { PullFacts } from "../report/model/context.ts";
import type { Report } from "../report/model/report.ts";
import { computeDigest } from "../store/digest.ts";
import type { StoredEvaluation } from "../store/evaluations.ts";
import { buildCheckTarget } from "./check.ts";
import { parseOneShotApprovable } from "./comment-content.ts";
import type { ApprovedSituation } from "./consent-basis.ts";
import type { CheckPolicy } from "./load-policy.ts";
import { type CurrentHead, canShowFigures } from "./run/deps.ts";

/** A decided head: what its evaluation is built from. */
export interface EvaluatedHead extends CheckPolicy, ApprovedSituation {
  readonly facts: PullFacts;
  readonly report: Report;
  readonly context: EvaluationContext;
  /** The effect of the head's own edit of the policy; null: it edits nothing. */
  readonly policyEdit: PolicyEdit | null;
}

/** Builds the evaluation that is rendered, published, stored and audited, with its digest. */
export function buildEvaluation(current: CurrentHead, evaluated: EvaluatedHead): StoredEvaluation {
  const { deps, head, stack, before } = current;
  const { policy, checkName, unshared, report, context, situation, approvals, override } = evaluated;
  const { repository, pull } = head;
  const inForce = policy.state === "found" ? policy.policy : null;
  const firstEvaluated = findFirstEvaluation(current, policy) ?? {
    atMs: context.nowMs,
    digest: computePlaceDigest(current, policy),
  };
  const evaluation: Evaluation = {
    pull: {
      repositoryId: repository.id,
      number: pull.number,
      repository: `${repository.owner}/${repository.name}`,
      headSha: pull.headSha,
      baseRef: pull.baseRef,
      figures: canShowFigures(deps.operator, repository),
      draft: pull.draft,
      ...(stack && { stack: { number: stack.number, below: stack.below } }),
    },
    report,
    context,
    situation,
    ...computeApprovable(current, evaluated),
    firstEvaluated,
    ...(inForce?.showsYear && {
      yearSpan: findYearRest(firstEvaluated.atMs, context.nowMs, deps.operator.fiscalYearStarts),
    }),
    check: decideCheck(situation, approvals, override),
    approvals,
    ...(override !== null && { override }),
    checkName,
    ...(unshared && { unshared }),
    policySources: buildPolicySources(policy, before),
    ...(policy.state === "found" && { rulePlaces: policy.rulePlaces }),
    policyEdit: evaluated.policyEdit,
    ...getCommentSettings(inForce),
    foreignChecks: findForeignPosters(head, { appId: deps.ownAppId, name: checkName }),
    previous: findPreviousHead(pull.headSha, before),
  };
  const policyBlobs = joinPolicyBlobs(policy);
  const digest = computeEvaluationDigest(evaluation, evaluated.facts, policyBlobs);
  return { evaluation, digest, policyBlobs };
}

/** Digest of everything that the decision depends on, and of the decision. */
function computeEvaluationDigest(
  { pull, checkName, unshared, policyEdit, situation, approvals, override }: Evaluation,
  facts: PullFacts,
  policyBlobs: string,
): string {
  return computeDigest([
    pull.headSha,
    pull.baseRef,
    policyBlobs,
    checkName,
    // The effect on past pull requests depends on other pull requests and is no reason to publish this
    // verdict again.
    policyEdit === null ? null : { ...policyEdit, past: null },
    situation,
    approvals,
    facts,
    ...(override === undefined ? [] : [override]),
    ...(unshared === undefined ? [] : [unshared]),
    ...(pull.stack === undefined ? [] : [pull.stack]),
  ]);
}

/**
 * Returns the files in force. An unchanged file stays linked to the commit in which it was first read, so
 * that a new commit on the branch is no reason to write the comment again.
 */
function buildPolicySources(policy: LoadedPolicy, before: StoredEvaluation | null): readonly PolicySource[] {
  if (policy.state !== "found" && policy.state !== "invalid") return [];
  const toKey = ({ repository, ref, path, blob }: PolicySource) =>
    JSON.stringify([repository, ref, path, blob]);
  return policy.sources.map((source) => {
    const known = before?.evaluation.policySources.find((one) => toKey(one) === toKey(source));
    return known?.commit === undefined ? source : { ...source, commit: known.commit };
  });
}

/** The findings that could be approved on a head, as their digest, and since when; empty: it had no verdict. */
type Approvable = Pick<Evaluation, "evaluatedMs" | "approvableDigest">;

/** Returns the approvable findings of this head and base branch: from the newest evaluation, else from the check of an earlier CI job. */
export function findLastApprovable(current: CurrentHead, checkName: string): Approvable {
  const { deps, head, before } = current;
  const stored = findStoredApprovable(head.pull, before);
  if (stored.approvableDigest !== undefined || !deps.isOneShot) return stored;
  const { listedRun } = buildCheckTarget(current, checkName);
  const check = head.checks.find(({ id }) => id === listedRun?.checkRunId);
  return parseOneShotApprovable(check?.externalId ?? null, head.pull.baseRef);
}

/** Returns the approvable findings of this head and base branch from the newest evaluation. */
export function findStoredApprovable(
  { headSha, baseRef }: Pick<Evaluation["pull"], "headSha" | "baseRef">,
  before: StoredEvaluation | null,
): Approvable {
  if (before === null) return {};
  const { pull, evaluatedMs, approvableDigest } = before.evaluation;
  if (pull.headSha !== headSha || pull.baseRef !== baseRef) return {};
  return evaluatedMs === undefined || approvableDigest === undefined ? {} : { evaluatedMs, approvableDigest };
}

/** An evaluation without a verdict keeps the approvable findings of the evaluation before. */
function computeApprovable(
  current: CurrentHead,
  { checkName, context, approvableDigest }: EvaluatedHead,
): Approvable {
  const last = findLastApprovable(current, checkName);
  if (approvableDigest === null || last.approvableDigest === approvableDigest) return last;
  return { evaluatedMs: context.nowMs, approvableDigest };
}

/** Returns when this head was first evaluated into this base branch under this policy; null: never before. */
export function findFirstEvaluation(current: CurrentHead, policy: LoadedPolicy): FirstEvaluation | null {
  const first = current.before?.evaluation.firstEvaluated;
  return first?.digest === computePlaceDigest(current, policy) ? first : null;
}

const computePlaceDigest = ({ head: { pull } }: CurrentHead, policy: LoadedPolicy): string =>
  computeDigest([pull.headSha, pull.baseRef, joinPolicyBlobs(policy)]);

/** Returns the policy's comment settings. */
function getCommentSettings(
  policy: Policy | null,
): Pick<Evaluation, "quiet" | "smallChange" | "commentMode" | "sections" | "requestReviewers"> {
  if (policy === null) return { quiet: false, commentMode: "update", sections: null };
  const { onNoChange, smallChange, mode, sections } = policy.comment;
  const small = smallChange === null ? {} : { smallChange };
  const asked = policy.requestReviewers ? { requestReviewers: true as const } : {};
  return { quiet: onNoChange === "quiet", ...small, ...asked, commentMode: mode, sections };
}

/**
 * Returns the head that the comment compares with. Another evaluation of the same head keeps the first one's;
 * a head whose evaluations all failed is skipped.
 */
export function findPreviousHead(headSha: Sha, before: StoredEvaluation | null): PreviousHead | null {
  if (before === null) return null;
  const { pull, previous } = before.evaluation;
  if (pull.headSha === headSha) return previous;
  const totals = findKnownTotals(before);
  return totals === null ? previous : { headSha: pull.headSha, totals };
}

/** Returns the known totals of a head; null: all of its evaluations failed. */
function findKnownTotals({ evaluation: { situation, report, lastKnown } }: StoredEvaluation) {
  const isOwnError = situation.kind === "failed" && situation.cause === "own_error";
  return isOwnError ? (lastKnown ?? null) : report.totals;
}

/** Returns the totals of this head before a failed evaluation. */
export function getLastKnownTotals(
  headSha: Sha,
  before: StoredEvaluation | null,
): Pick<Evaluation, "lastKnown"> {
  if (before === null || before.evaluation.pull.headSha !== headSha) return {};
  const totals = findKnownTotals(before);
  return totals === null ? {} : { lastKnown: totals };
}

/** Returns the facts of a pull request that rules read in addition to its report. */
export function buildEvaluationContext(
  { deps, head, stack }: CurrentHead,
  { nowMs, budgetUse }: Pick<EvaluationContext, "nowMs" | "budgetUse">,
): EvaluationContext {
  const { number, author, labels, baseRef, draft, paths, pathsComplete } = head.pull;
  const own = normalizeLogin(author);
  return {
    number,
    author: own,
    ...(stack?.authors.some((other) => other !== own) && { mixedAuthors: true }),
    labels,
    baseRef,
    draft,
    paths,
    pathsComplete,
    nowMs,
    budgetUse,
    ...(deps.isOneShot && { oneShot: true }),
  };
}

/** Returns the login in lower case. An App's login gets "[bot]", which GraphQL omits: a person may have the same login without it. */
function normalizeLogin(author: HeadState["pull"]["author"]): string | null {
  if (author === null) return null;
  const login = author.login.toLowerCase();
  return author.type === "Bot" && !login.endsWith("[bot]") ? `${login}[bot]` : login;
}
