import { resolveCheckName } from "../../policy/check/check-name.ts";
import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import { findLastCheckName, type StoredEvaluation } from "../../store/evaluations.ts";
import type { JobDeps } from "../run/deps.ts";

interface CheckNameRequest {
  /** Null: it could not be read, or was not. */
  readonly policy: LoadedPolicy | null;
  readonly repositoryId: number;
  readonly baseRef: string;
  /** The last evaluation of the pull request; null: there is none, or it is about a merge group. */
  readonly before: StoredEvaluation | null;
}

/**
 * Returns the name of the check, from the policy. Without one the name of the last evaluation stays; while none can be read, else that of the
 * last pull request into the branch. The branch or its merge queue may require that check.
 */
export async function selectCheckName(
  { db }: Pick<JobDeps, "db">,
  { policy, repositoryId, baseRef, before }: CheckNameRequest,
): Promise<string> {
  if (policy?.state === "found") return resolveCheckName(policy.policy, baseRef);
  if (before?.evaluation.pull.baseRef === baseRef) return before.evaluation.checkName;
  const last = policy?.state === "none" ? null : await findLastCheckName(db, { repositoryId, baseRef });
  return last ?? resolveCheckName(null, baseRef);
}
