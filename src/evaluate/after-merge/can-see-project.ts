import type { RepositoryState } from "../../github/head/head-state.ts";
import { findProjectOwner } from "../../store/bindings.ts";
import { canReadProject, type Grantee, isGrantedByName } from "../facts/platform/grants.ts";
import type { JobDeps } from "../run/deps.ts";

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
