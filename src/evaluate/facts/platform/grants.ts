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
export const selectGrants = ({ grants }: OperatorRules, asker: Grantee): readonly PlatformGrant[] =>
  grants.filter(
    ({ owner, repository }) =>
      owner === asker.ownerId && (repository === undefined || repository === asker.repositoryId),
  );

/** Whether the repository sees the project with its own name, because it has no grant. */
export const isGrantedByName = (rules: OperatorRules, asker: Grantee): boolean =>
  rules.embedded && selectGrants(rules, asker).length === 0;

/**
 * Whether a repository may see the amounts of a project. The operator grants access; the repository's policy
 * files only narrow it.
 */
export function canReadProject(
  rules: OperatorRules,
  asker: Grantee,
  target: { org: string; project: string },
): boolean {
  const { restriction: narrowed } = asker;
  if (narrowed.org !== null && narrowed.org !== target.org) return false;
  if (narrowed.project !== null && narrowed.project !== target.project) return false;
  if (isGrantedByName(rules, asker)) return target.org === asker.owner && target.project === asker.name;
  return selectGrants(rules, asker).some(
    (grant) => grant.org === target.org && (grant.project === undefined || grant.project === target.project),
  );
}
