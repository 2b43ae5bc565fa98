import type { OperatorRules, PlatformGrant } from "../../run/operator-rules.ts";

/** The repository for which facts are read, and how its policy narrows the operator's grants. */
export interface Grantee {
  readonly ownerId: number;
  readonly repositoryId: number;
  readonly owner: string;
  readonly name: string;
  readonly restriction: { readonly org: string | null; readonly project: string | null };
}

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
export const isGrantedByName = (rules: OperatorRules, grantee: Grantee): boolean =>
  rules.embedded && selectGrants(rules, grantee).length === 0;

/**
 * Whether a repository may see the amounts of a project. The operator grants access; the repository's policy
 * files only narrow it.
 */
export function canReadProject(
  rules: OperatorRules,
  grantee: Grantee,
  target: { org: string; project: string },
): boolean {
  const { restriction } = grantee;
  if (restriction.org !== null && restriction.org !== target.org) return false;
  if (restriction.project !== null && restriction.project !== target.project) return false;
  if (isGrantedByName(rules, grantee)) return target.org === grantee.owner && target.project === grantee.name;
  return selectGrants(rules, grantee).some(
    (grant) => grant.org === target.org && (grant.project === undefined || grant.project === target.project),
  );
}
