import { findForeignPosters } from "../github/checks/own-check.ts";
import type { HeadState } from "../github/head/head-state.ts";
import type { Sha } from "../kernel/ids.ts";
import { decideCheck } from "../policy/decide-check.ts";
import type { Approvals, Override } from "../policy/model/approval.ts";
import type { EvaluationContext } from "../policy/model/context.ts";
import type {
  Evaluation,
  FirstEvaluation,
  PolicyEdit,
  PreviousHead,
  UnsharedName,
} from "../policy/model/evaluation.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { joinPolicyBlobs } from "../policy/model/loaded-policy.ts";
import type { Policy } from "../policy/model/policy.ts";
import type { PolicySource, Situation } from "../policy/model/situation.ts";
import type { PullFacts } from "../report/model/context.ts";
import type { Report } from "../report/model/report.ts";
import type { StoredEvaluation } from "../store/evaluations.ts";
import { computeDigest } from "./comment-content.ts";
import type { LastApprovable } from "./consent-basis.ts";
import { canShowFigures, type JobDeps } from "./run/deps.ts";

export interface EvaluatedHead {
  readonly head: HeadState;
  readonly policy: LoadedPolicy;
  readonly facts: PullFacts;
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly situation: Situation;
  readonly approvals: Approvals;
  /** The override that lets the check pass; null: none does. */
  readonly override: Override | null;
  /** Digest of the approvable findings; null: there is no verdict. */
  readonly approvableDigest: string | null;
  /** The findings that could be approved on this head before; null: it had no verdict. */
  readonly lastApprovable: LastApprovable | null;
  readonly checkName: string;
  readonly unshared?: UnsharedName;
  readonly stack?: NonNullable<Evaluation["pull"]["stack"]>;
  /** The newest evaluation of this pull request so far; null: none yet. */
  readonly before: StoredEvaluation | null;
  /** The effect of the head's own edit of the policy; null: it edits nothing. */
  readonly policyEdit: PolicyEdit | null;
}

/** Builds the evaluation that is rendered, published, stored and audited, with its digest. */
export function buildEvaluation(deps: JobDeps, evaluatedHead: EvaluatedHead): StoredEvaluation {
  const { head, policy, facts, report, context, situation, approvals, override } = evaluatedHead;
  const { checkName, unshared, stack } = evaluatedHead;
  const { repository, pull } = head;
  const inForce = policy.state === "found" ? policy.policy : null;
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
    ...computeApprovableFields(evaluatedHead),
    firstEvaluated: computeFirstEvaluation(evaluatedHead),
    check: decideCheck(situation, approvals, override),
    approvals,
    ...(override !== null && { override }),
    checkName,
    ...(unshared && { unshared }),
    policySources: buildPolicySources(policy, evaluatedHead.before),
    ...(policy.state === "found" && { rulePlaces: policy.rulePlaces }),
    policyEdit: evaluatedHead.policyEdit,
    ...getCommentSettings(inForce),
    foreignChecks: findForeignPosters(head, { appId: deps.ownAppId, name: checkName }),
    previous: findPreviousHead(pull.headSha, evaluatedHead.before),
  };
  const policyBlobs = joinPolicyBlobs(policy);
  const digest = computeEvaluationDigest(evaluation, facts, policyBlobs);
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

/**
 * Returns the approvable findings of this head and base branch from the newest evaluation; null: it had no
 * verdict.
 */
export function findLastApprovable(
  { headSha, baseRef }: Pick<Evaluation["pull"], "headSha" | "baseRef">,
  before: StoredEvaluation | null,
): LastApprovable | null {
  if (before === null) return null;
  const { pull, evaluatedMs, approvableDigest: digest } = before.evaluation;
  if (pull.headSha !== headSha || pull.baseRef !== baseRef) return null;
  return evaluatedMs === undefined || digest === undefined ? null : { evaluatedMs, digest };
}

/** Returns when this head was first evaluated into this base branch under this policy: now, unless the newest evaluation says so. */
const computeFirstEvaluation = ({ head, policy, before, context }: EvaluatedHead): FirstEvaluation =>
  findFirstEvaluation(head.pull, policy, before) ?? {
    atMs: context.nowMs,
    digest: computePlaceDigest(head.pull, policy),
  };

/** Returns when this head was first evaluated into this base branch under this policy; null: never before. */
export function findFirstEvaluation(
  pull: EvaluatedPlace,
  policy: LoadedPolicy,
  before: StoredEvaluation | null,
): FirstEvaluation | null {
  const first = before?.evaluation.firstEvaluated;
  return first?.digest === computePlaceDigest(pull, policy) ? first : null;
}

type EvaluatedPlace = Pick<Evaluation["pull"], "headSha" | "baseRef">;

const computePlaceDigest = ({ headSha, baseRef }: EvaluatedPlace, policy: LoadedPolicy): string =>
  computeDigest([headSha, baseRef, joinPolicyBlobs(policy)]);

/**
 * Returns the approvable findings and their first evaluation. An evaluation without a verdict keeps those of
 * the evaluation before.
 */
function computeApprovableFields({ lastApprovable: last, context, approvableDigest: digest }: EvaluatedHead) {
  if (digest === null || last?.digest === digest) return toApprovableFields(last);
  return toApprovableFields({ evaluatedMs: context.nowMs, digest });
}

export const toApprovableFields = (
  last: LastApprovable | null,
): Pick<Evaluation, "evaluatedMs" | "approvableDigest"> =>
  last === null ? {} : { evaluatedMs: last.evaluatedMs, approvableDigest: last.digest };

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
  { pull }: HeadState,
  {
    nowMs,
    budgetUse,
    isOneShot = false,
    belowAuthors = [],
  }: Pick<EvaluationContext, "nowMs" | "budgetUse"> & {
    readonly isOneShot?: boolean;
    /** Authors of the pull requests below it in its stack; null: unknown. */
    readonly belowAuthors?: readonly (string | null)[];
  },
): EvaluationContext {
  const { number, author, labels, baseRef, draft, paths, pathsComplete } = pull;
  const own = normalizeLogin(author);
  return {
    number,
    author: own,
    ...(belowAuthors.some((other) => other !== own) && { mixedAuthors: true }),
    labels,
    baseRef,
    draft,
    paths,
    pathsComplete,
    nowMs,
    budgetUse,
    ...(isOneShot && { oneShot: true }),
  };
}

/**
 * Returns the login in lower case. An App's login gets "[bot]", which GraphQL omits: a person may have the
 * same login without it.
 */
function normalizeLogin(author: HeadState["pull"]["author"]): string | null {
  if (author === null) return null;
  const login = author.login.toLowerCase();
  return author.type === "Bot" && !login.endsWith("[bot]") ? `${login}[bot]` : login;
}
