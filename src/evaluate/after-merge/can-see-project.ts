import type { RepositoryState } from "../../github/head/head-state.ts";
import { findProjectOwner } from "../../store/project-owners.ts";
import { canReadProject, type Grantee, isGrantedByName } from "../facts/platform/grants.ts";
import type { JobDeps } from "../run/deps.ts";

/** After a merge the operator's current grants apply; the policy narrowed the stages before. */
export const toGrantee = ({ id, ownerId, owner, name }: RepositoryState): Grantee => ({
  ownerId,
  repositoryId: id,
  owner,
  name,
  narrowed: { org: null, project: null },
});

/** Whether a repository may still see a project's figures. */
export async function canSeeProject(
  { db, operator }: Pick<JobDeps, "db" | "operator">,
  repository: RepositoryState,
  { org, project }: { readonly org: string; readonly project: string },
): Promise<boolean> {
  const asker = toGrantee(repository);
  if (!canReadProject(operator, asker, { org, project })) return false;
  if (!isGrantedByName(operator, asker)) return true;
  return (await findProjectOwner(db, { account: operator.account, org, project })) === repository.id;
}
