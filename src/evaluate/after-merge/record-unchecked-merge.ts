import type { RepositoryState } from "../../github/head/head-state.ts";
import { listOpenFindings } from "../../policy/decide/situation.ts";
import { appendMerge } from "../../store/audit/decisions.ts";
import { findProjectOwner } from "../../store/bindings.ts";
import { formatDecision, type StoredEvaluation } from "../../store/evaluations.ts";
import { canReadProject, type Grantee, isGrantedByName } from "../facts/platform/platform-facts.ts";
import { loadPolicy } from "../load-policy.ts";
import { buildCheckTarget } from "../publish/check.ts";
import type { CurrentHead, JobDeps } from "../run/deps.ts";

/**
 * Records a merge although the check did not pass, or was missing, in the decision chain. A pull request without a policy has no
 * check. May run again: a pull request gets one record at most.
 */
export async function recordUncheckedMerge(current: CurrentHead): Promise<void> {
  const { run, head } = current;
  const { pull } = head;
  const { evaluation } = findMergedEvaluation(current) ?? { evaluation: null };
  const checkName = await findCheckName(current);
  if (checkName === null) return;
  const check = findCheckState(current, checkName);
  if (check === "success" || check === "neutral") return;
  const now = run.deps.clock.now();
  const record = {
    kind: "merge" as const,
    ...run.key,
    headSha: pull.headSha,
    baseRef: pull.baseRef,
    mergeSha: pull.mergeSha,
    mergedAt: new Date(pull.mergedMs ?? now).toISOString(),
    mergedBy: pull.mergedBy === null ? null : { id: pull.mergedBy.id, login: pull.mergedBy.login },
    checkName,
    check,
    situation: evaluation?.situation.kind ?? null,
    open: evaluation === null ? [] : listOpenFindings(evaluation.situation, evaluation.pull.figures),
  };
  if (await appendMerge(run.deps.db, record, new Date(now)))
    run.deps.log.info({ ...run.key, check }, "a pull request was merged over its check");
}

/** The newest evaluation, if it is one of the merged head into the base branch. */
function findMergedEvaluation({ head: { pull }, before }: CurrentHead): StoredEvaluation | null {
  if (before === null) return null;
  const { headSha, baseRef } = before.evaluation.pull;
  return headSha === pull.headSha && baseRef === pull.baseRef ? before : null;
}

/**
 * Returns the name of the check that the merged head had or should have had; null: there was no policy. The merge may have changed the
 * policy on the base branch, so the policy of the evaluation counts where there was one.
 */
async function findCheckName(current: CurrentHead): Promise<string | null> {
  const evaluated = findMergedEvaluation(current);
  if (evaluated !== null) {
    const { situation, checkName } = evaluated.evaluation;
    return situation.kind === "no_policy" ? null : checkName;
  }
  const { policy, checkName } = await loadPolicy(current);
  return policy.state === "none" ? null : checkName;
}

/** Conclusion of the newest check on GitHub, else its status; `missing`: there is none. */
function findCheckState(current: CurrentHead, checkName: string): string {
  const { run, head } = current;
  const { listedState } = buildCheckTarget(run, head, checkName);
  if (listedState !== null) return listedState;
  const evaluated = findMergedEvaluation(current);
  // Of very many checks GitHub lists a part, so the one that was published last counts.
  return head.claimsComplete || evaluated === null ? "missing" : formatDecision(evaluated.evaluation.check);
}

/**
 * Returns the repository whose grants apply after a merge. The operator's current grants apply; the policy
 * narrowed the stages before.
 */
export const toGrantee = ({ id, ownerId, owner, name }: RepositoryState): Grantee => ({
  ownerId,
  repositoryId: id,
  owner,
  name,
  restriction: { org: null, project: null },
});

/** Whether a repository may still see the amounts of a project. */
export async function canSeeProject(
  { db, operator }: Pick<JobDeps, "db" | "operator">,
  repository: RepositoryState,
  { org, project }: { readonly org: string; readonly project: string },
): Promise<boolean> {
  const grantee = toGrantee(repository);
  if (!canReadProject(operator, grantee, { org, project })) return false;
  if (!isGrantedByName(operator, grantee)) return true;
  return (await findProjectOwner(db, { account: operator.account, org, project })) === repository.id;
}
