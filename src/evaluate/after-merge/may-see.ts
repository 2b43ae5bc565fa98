import type { RepositoryState } from "../../github/head/head-state.ts";
import { projectOwner } from "../../store/project-owners.ts";
import { type Asker, mayRead, seesOwnName } from "../facts/platform/grants.ts";
import type { JobDeps } from "../run/deps.ts";

/** After a merge the operator's current grants apply; the policy narrowed the stages before. */
export const askerOf = ({ id, ownerId, owner, name }: RepositoryState): Asker => ({
  ownerId,
  repositoryId: id,
  owner,
  name,
  narrowed: { org: null, project: null },
});

/** Whether a repository may still see a project's figures. */
export async function maySee(
  { db, operator }: Pick<JobDeps, "db" | "operator">,
  repository: RepositoryState,
  { org, project }: { readonly org: string; readonly project: string },
): Promise<boolean> {
  const asker = askerOf(repository);
  if (!mayRead(operator, asker, { org, project })) return false;
  if (!seesOwnName(operator, asker)) return true;
  return (await projectOwner(db, { account: operator.account, org, project })) === repository.id;
}
