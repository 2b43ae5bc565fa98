import type { OperatorRules } from "../operator.ts";

/** The repository that asks, and how its policy narrows what the operator granted. */
export interface Asker {
  readonly ownerId: number;
  readonly repositoryId: number;
  readonly owner: string;
  readonly name: string;
  readonly narrowed: { readonly org: string | null; readonly project: string | null };
}

/** Whether a repository may see the figures of a project. The operator grants; the repository's files only narrow. */
export function mayRead(
  rules: OperatorRules,
  asker: Asker,
  target: { org: string; project: string },
): boolean {
  const { narrowed } = asker;
  if (narrowed.org !== null && narrowed.org !== target.org) return false;
  if (narrowed.project !== null && narrowed.project !== target.project) return false;
  const granted = rules.grants.filter(
    (grant) =>
      grant.owner === asker.ownerId &&
      (grant.repository === undefined || grant.repository === asker.repositoryId),
  );
  if (granted.length === 0)
    return rules.embedded && target.org === asker.owner && target.project === asker.name;
  return granted.some(
    (grant) => grant.org === target.org && (grant.project === undefined || grant.project === target.project),
  );
}
