import type { Clock } from "../../kernel/clock.ts";
import type { PullKey, Sha } from "../../kernel/ids.ts";
import { findApprovedChange, verifyPlan } from "../../policy/apply-gate.ts";
import { isPassing } from "../../policy/decide-check.ts";
import { type EvaluatedPlan, isStageNamed, listEvaluatedPlans } from "../../policy/evaluated-plans.ts";
import type { ApplyDoubt, ApplyResult } from "../../policy/model/apply.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import {
  type AppliedPull,
  type ApplyTarget,
  findAppliedPull,
  isMergedOverCheck,
  listAcceptedApplies,
  listMergedPulls,
} from "../../store/after-merge/applied-pulls.ts";
import { recordApply } from "../../store/after-merge/applies.ts";
import { findEvaluation } from "../../store/evaluations.ts";
import type { Repository } from "../../store/repositories.ts";
import type { Db } from "../../store/tables/tables.ts";
import { formatPullPath } from "../page/address.ts";
import type { ApplyAnswer, ApplyRequest } from "./contract.ts";

export interface VerifyApplyDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly publicUrl: string | null;
  /** Asks GitHub for the pull request that a commit merged; null: there is none. Throws `github_failed` when GitHub gives no answer. */
  readonly readMergedPull: (repository: Repository, sha: Sha) => Promise<AppliedPull | null>;
  readonly enqueue: (pull: PullKey) => Promise<void>;
}

/** An evaluated pull request with what it plans for the workspace. */
interface EvaluatedPull {
  readonly pull: AppliedPull;
  readonly evaluation: Evaluation;
  readonly plans: readonly EvaluatedPlan[];
}

/**
 * Verifies an apply against the evaluation of its commit and of every pull request of the workspace that was merged since the last
 * accepted apply, and records the answer. An answer about no known pull request is not recorded.
 */
export async function verifyApply(
  deps: VerifyApplyDeps,
  { repository, actor }: { readonly repository: Repository; readonly actor: string },
  request: Omit<ApplyRequest, "repository">,
): Promise<ApplyAnswer> {
  const { db } = deps;
  const { repository_id: repositoryId, owner_login: owner, name } = repository;
  const { sha, plan, tolerance } = request;
  const pull = (await findAppliedPull(db, repositoryId, sha)) ?? (await deps.readMergedPull(repository, sha));
  if (pull === null) return { ...undecide("no_evaluation"), page: null };
  const { number, headSha, baseRef, mergedMs } = pull;
  const target = { repositoryId, baseRef, workspace: plan.workspace };
  const { stage = plan.workspace, ...compared } = await compare(db, { target, pull }, request);
  const key = { repositoryId, number };
  const { result, pulls } = compared;
  const apply = { ...key, headSha, baseRef, sha, workspace: plan.workspace, stage, mergedMs };
  await recordApply(db, { ...apply, actor, pulls, result, tolerance }, new Date(deps.clock.now()));
  if (result.kind === "exceeds") await deps.enqueue(key);
  const path = formatPullPath(`${owner}/${name}`, number);
  return { ...compared, page: deps.publicUrl === null ? null : `${deps.publicUrl}${path}` };
}

type PlanComparison = Omit<ApplyAnswer, "page"> & { readonly stage?: string };

const undecide = (doubt: ApplyDoubt): PlanComparison => ({
  result: { kind: "undecided", because: [doubt] },
  ...{ pulls: [], uncounted: [], unchecked: [] },
});

async function compare(
  db: Db,
  { target, pull }: { readonly target: ApplyTarget; readonly pull: AppliedPull },
  { sha, base, plan, tolerance }: Omit<ApplyRequest, "repository">,
): Promise<PlanComparison> {
  if (base !== null && base !== pull.baseRef) return undecide("other_base");
  const own = await readEvaluated(db, target, pull);
  if (typeof own === "string") return undecide(own);
  const { counted, uncounted, isSuperseded } = await listBefore(db, { target, own, sha });
  if (isSuperseded) return undecide("superseded");
  const others: EvaluatedPull[] = [];
  const unchecked: number[] = [];
  for (const other of counted) {
    const read = await readEvaluated(db, target, other);
    if (typeof read !== "string") others.push(read);
    else if (read === "unchecked_merge") unchecked.push(other.number);
  }
  const all = [own, ...others].filter(({ plans }) => plans.length > 0);
  const stages = [...new Set(all.flatMap(({ plans }) => plans.map(({ stage }) => stage)))];
  const [stage] = stages;
  if (stage === undefined) return { ...undecide("workspace_not_evaluated"), uncounted, unchecked };
  if (stages.length > 1) return undecide("ambiguous_workspace");
  const expected = all.flatMap(({ plans }) => plans.map((one) => one.plan));
  const [only] = all.length === 1 ? all : [];
  const approvedUpTo = only?.plans[0] ? findApprovedChange(only.evaluation, only.plans[0].plan) : null;
  const result: ApplyResult = verifyPlan(expected, plan, { tolerance, approvedUpTo });
  return { result, pulls: all.map((one) => one.pull.number), uncounted, unchecked, stage };
}

/** The evaluation that let a pull request pass, of exactly its head and base branch; else why there is none. */
async function readEvaluated(
  db: Db,
  { repositoryId, workspace }: ApplyTarget,
  pull: AppliedPull,
): Promise<EvaluatedPull | ApplyDoubt> {
  const key = { repositoryId, number: pull.number };
  const saved = await findEvaluation(db, key);
  if (saved === null || saved.evaluation.check.status === "none") return "no_evaluation";
  const { evaluation, isPublished } = saved;
  const { headSha, baseRef } = evaluation.pull;
  const isMerged = pull.mergedMs !== null;
  if (headSha !== pull.headSha || baseRef !== pull.baseRef)
    return isMerged && (await isMergedOverCheck(db, key)) ? "unchecked_merge" : "no_evaluation";
  if (!isPublished || !isPassing(evaluation.check)) return isMerged ? "unchecked_merge" : "not_passed";
  if (isMerged && (await isMergedOverCheck(db, key))) return "unchecked_merge";
  const plans = listEvaluatedPlans(evaluation).filter(({ stage }) => isStageNamed(stage, workspace));
  return { pull, evaluation, plans };
}

/**
 * The other pull requests that the apply of a merge may bring: those of the same commit (a stack), and those merged since the last accepted
 * apply. Without an accepted one it is unknown where to begin, so none of these counts. An open pull request is applied alone.
 */
async function listBefore(
  db: Db,
  { target, own, sha }: { readonly target: ApplyTarget; readonly own: EvaluatedPull; readonly sha: Sha },
) {
  const { mergedMs: ownMs, number } = own.pull;
  if (ownMs === null) return { counted: [], uncounted: [], isSuperseded: false };
  const accepted = await listAcceptedApplies(db, { ...target, stage: own.plans[0]?.stage ?? null });
  const merged = (await listMergedPulls(db, target, ownMs)).filter((one) => one.number !== number);
  const times = accepted.flatMap(({ mergedMs }) => (mergedMs === null ? [] : [mergedMs]));
  const sinceMs = times.filter((ms) => ms < ownMs).sort((a, b) => b - a)[0] ?? Number.POSITIVE_INFINITY;
  const isSuperseded = accepted.some(({ mergedMs }) => (mergedMs ?? 0) > ownMs);
  const isAppliedOpen = (one: AppliedPull): boolean =>
    accepted.some(({ mergedMs, sha: head }) => mergedMs === null && head === one.headSha);
  const counted = merged.filter(
    (one) => one.mergeSha === sha || (one.mergedMs > sinceMs && !isAppliedOpen(one)),
  );
  const uncounted = sinceMs === Number.POSITIVE_INFINITY ? merged.filter((one) => one.mergeSha !== sha) : [];
  return { counted, uncounted: uncounted.map((one) => one.number), isSuperseded };
}
