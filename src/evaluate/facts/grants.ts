import type { RepositoryState } from "../../github/head/head-state.ts";
import { claimProject, findProjectOwner } from "../../store/bindings.ts";
import type { JobDeps } from "../run/deps.ts";
import type { ContextGrant, OperatorRules, PlatformGrant } from "../run/operator-rules.ts";

/** The repository for which facts are read, and how its policy narrows the operator's grants. */
export interface Grantee {
  readonly ownerId: number;
  readonly repositoryId: number;
  readonly owner: string;
  readonly name: string;
  readonly restriction: { readonly org: string | null; readonly project: string | null };
}

const UNRESTRICTED = { org: null, project: null };

/** Without a policy, as after a merge, the operator's grants are not narrowed. */
export const toGrantee = (
  { id, ownerId, owner, name }: Pick<RepositoryState, "id" | "ownerId" | "owner" | "name">,
  restriction: Grantee["restriction"] = UNRESTRICTED,
): Grantee => ({ ownerId, repositoryId: id, owner, name, restriction });

/** Returns the operator's grants to a repository. */
export const selectGrants = (
  { grants }: OperatorRules,
  grantee: Pick<Grantee, "ownerId" | "repositoryId">,
): readonly PlatformGrant[] =>
  grants.filter(
    ({ owner, repository }) =>
      owner === grantee.ownerId && (repository === undefined || repository === grantee.repositoryId),
  );

/** Whether the repository sees the project with its own name, because it has no grant. */
const isGrantedByName = (rules: OperatorRules, grantee: Grantee): boolean =>
  rules.embedded && selectGrants(rules, grantee).length === 0;

/** Whether a repository may see the amounts of a project. The operator grants access; the repository's policy files only narrow it. */
export function canReadProject(
  rules: OperatorRules,
  grantee: Grantee,
  target: { readonly org: string; readonly project: string },
): boolean {
  const { restriction } = grantee;
  if (restriction.org !== null && restriction.org !== target.org) return false;
  if (restriction.project !== null && restriction.project !== target.project) return false;
  if (isGrantedByName(rules, grantee)) return target.org === grantee.owner && target.project === grantee.name;
  return selectGrants(rules, grantee).some(
    (grant) => grant.org === target.org && (grant.project === undefined || grant.project === target.project),
  );
}

/**
 * Whether another repository had this name before. Without a grant, a repository may see the project with its
 * name. Names can be given up and taken, so access stays with the repository that first had the name.
 */
export async function hasLostName(
  { db, operator }: Pick<JobDeps, "db" | "operator">,
  grantee: Grantee,
): Promise<boolean> {
  if (!isGrantedByName(operator, grantee)) return false;
  const { owner: org, name: project, repositoryId } = grantee;
  return (await claimProject(db, { account: operator.account, org, project }, repositoryId)) !== repositoryId;
}

/** Whether a repository may still see the amounts of a project after a merge. */
export async function canSeeProject(
  { db, operator }: Pick<JobDeps, "db" | "operator">,
  repository: Parameters<typeof toGrantee>[0],
  { org, project }: { readonly org: string; readonly project: string },
): Promise<boolean> {
  const grantee = toGrantee(repository);
  if (!canReadProject(operator, grantee, { org, project })) return false;
  if (!isGrantedByName(operator, grantee)) return true;
  return (await findProjectOwner(db, { account: operator.account, org, project })) === repository.id;
}

/** Returns what a repository may see in addition to its projects: all of the operator's grants, narrowed by its policy. */
export function computeContextGrant(rules: OperatorRules, grantee: Grantee): ContextGrant {
  const { org, project } = grantee.restriction;
  const grants = selectGrants(rules, grantee)
    .filter((grant) => org === null || grant.org === org)
    .filter((grant) => project === null || grant.project === undefined || grant.project === project)
    .map(({ context }) => context);
  return {
    perspectives: [...new Set(grants.flatMap(({ perspectives }) => perspectives))],
    cloudAccounts: [...new Set(grants.flatMap(({ cloudAccounts }) => cloudAccounts))],
    clouds: [...new Set(grants.flatMap(({ clouds }) => clouds))],
    unitMetrics: grants.flatMap(({ unitMetrics }) => unitMetrics),
    measuredPerspectives: grants.flatMap(({ measuredPerspectives }) => measuredPerspectives),
  };
}
