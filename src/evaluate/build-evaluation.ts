import { foreignPosters } from "../github/checks/own-check.ts";
import type { HeadState } from "../github/head/head-state.ts";
import type { Sha } from "../kernel/ids.ts";
import { checkNameFor } from "../policy/check/check-name.ts";
import { decideCheck } from "../policy/check/decide-check.ts";
import type { Approvals } from "../policy/model/approval.ts";
import type { EvaluationContext } from "../policy/model/context.ts";
import type { Evaluation, PolicyEdit, PreviousHead } from "../policy/model/evaluation.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { blobsOf } from "../policy/model/loaded-policy.ts";
import type { Policy } from "../policy/model/policy.ts";
import type { PolicySource, Situation } from "../policy/model/situation.ts";
import type { PullFacts } from "../report/model/pull-facts.ts";
import type { Report } from "../report/model/report.ts";
import type { StoredEvaluation } from "../store/evaluations.ts";
import { digestOf } from "./publish/digest.ts";
import type { JobDeps } from "./run/deps.ts";

export interface EvaluatedHead {
  readonly head: HeadState;
  readonly policy: LoadedPolicy;
  readonly facts: PullFacts;
  readonly report: Report;
  readonly context: EvaluationContext;
  readonly situation: Situation;
  readonly approvals: Approvals;
  readonly checkName: string;
  /** The newest evaluation of this pull request so far; null: none yet. */
  readonly before: StoredEvaluation | null;
  /** What the head's own edit of the policy would change; null: it edits nothing. */
  readonly policyEdit: PolicyEdit | null;
}

/**
 * The policy names the check. While it cannot say, the check keeps the name it had, because that is the one a branch may
 * require.
 */
export function checkNameOf(policy: LoadedPolicy, baseRef: string, before: StoredEvaluation | null): string {
  if (policy.state === "found") return checkNameFor(policy.policy, baseRef);
  const had = before?.evaluation.pull.baseRef === baseRef ? before.evaluation.checkName : null;
  return had ?? checkNameFor(null, baseRef);
}

/** Puts together what is rendered, published, stored and audited, with the digest that names it. */
export function buildEvaluation(deps: JobDeps, judged: EvaluatedHead): StoredEvaluation {
  const { head, policy, facts, report, context, situation, approvals, checkName } = judged;
  const { repository, pull } = head;
  const inForce = policy.state === "found" ? policy.policy : null;
  const evaluation: Evaluation = {
    pull: {
      repositoryId: repository.id,
      number: pull.number,
      repository: `${repository.owner}/${repository.name}`,
      headSha: pull.headSha,
      baseRef: pull.baseRef,
      figures: repository.visibility !== "public" || deps.operator.publicFigures,
      draft: pull.draft,
    },
    report,
    context,
    situation,
    ...verdictTime(judged),
    check: decideCheck(situation, approvals),
    approvals,
    checkName,
    policySources: sourcesOf(policy, judged.before),
    ...(policy.state === "found" && { rulePlaces: policy.places }),
    policyEdit: judged.policyEdit,
    ...commentOf(inForce),
    foreignChecks: foreignPosters(head, { appId: deps.ownAppId, name: checkName }),
    previous: lastHead(pull.headSha, judged.before),
  };
  const policyBlobs = blobsOf(policy);
  const digest = digestOf([
    pull.headSha,
    pull.baseRef,
    policyBlobs,
    checkName,
    // What the edit would have done to others follows from them, and is no reason to tell this one's verdict anew.
    evaluation.policyEdit === null ? null : { ...evaluation.policyEdit, past: null },
    situation,
    approvals,
    facts,
  ]);
  return { evaluation, digest, policyBlobs };
}

/**
 * The files in force. A file that is still the same keeps the commit it was first seen in, so that a branch that moves on is no
 * reason to write a comment again.
 */
function sourcesOf(policy: LoadedPolicy, before: StoredEvaluation | null): readonly PolicySource[] {
  if (policy.state !== "found" && policy.state !== "invalid") return [];
  const keyOf = ({ repository, ref, path, blob }: PolicySource) =>
    JSON.stringify([repository, ref, path, blob]);
  return policy.sources.map((source) => {
    const known = before?.evaluation.policySources.find((one) => keyOf(one) === keyOf(source));
    return known?.commit === undefined ? source : { ...source, commit: known.commit };
  });
}

/** When this head into this base branch first had a verdict, as the newest evaluation tells it; null: it had none. */
export function verdictTimeBefore(
  { headSha, baseRef }: Pick<Evaluation["pull"], "headSha" | "baseRef">,
  before: StoredEvaluation | null,
): number | null {
  if (before === null) return null;
  const { pull, evaluatedMs = null } = before.evaluation;
  return pull.headSha === headSha && pull.baseRef === baseRef ? evaluatedMs : null;
}

function verdictTime({ head, before, situation, context }: EvaluatedHead): Pick<Evaluation, "evaluatedMs"> {
  const evaluatedMs = verdictTimeBefore(head.pull, before);
  if (evaluatedMs !== null) return { evaluatedMs };
  return "verdict" in situation && situation.verdict !== null ? { evaluatedMs: context.nowMs } : {};
}

/** How the policy has its comment. */
function commentOf(
  policy: Policy | null,
): Pick<Evaluation, "quiet" | "smallChange" | "commentMode" | "sections"> {
  if (policy === null) return { quiet: false, commentMode: "update", sections: null };
  const { onNoChange, smallChange, mode, sections } = policy.comment;
  const small = smallChange === null ? {} : { smallChange };
  return { quiet: onNoChange === "quiet", ...small, commentMode: mode, sections };
}

/**
 * Another look at the same head is compared with what the first one was. A head of which nothing was known but an error of
 * ours is passed over.
 */
export function lastHead(headSha: Sha, before: StoredEvaluation | null): PreviousHead | null {
  if (before === null) return null;
  const { pull, previous } = before.evaluation;
  if (pull.headSha === headSha) return previous;
  const totals = totalsOf(before);
  return totals === null ? previous : { headSha: pull.headSha, totals };
}

/** What is known of a head's totals; null: it met nothing but errors of ours. */
function totalsOf({ evaluation: { situation, report, lastKnown } }: StoredEvaluation) {
  const isOwnError = situation.kind === "failed" && situation.cause === "own_error";
  return isOwnError ? (lastKnown ?? null) : report.totals;
}

/** The totals that an error of ours must not take away from this head. */
export function totalsOfEvaluation(
  headSha: Sha,
  before: StoredEvaluation | null,
): Pick<Evaluation, "lastKnown"> {
  if (before === null || before.evaluation.pull.headSha !== headSha) return {};
  const totals = totalsOf(before);
  return totals === null ? {} : { lastKnown: totals };
}
