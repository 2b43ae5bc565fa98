import { isGlobMatch } from "../../kernel/glob.ts";
import type { Policy } from "../model/policy.ts";

/** The name that belongs to one base branch alone. */
export const formatCheckName = (baseRef: string): string => `tollgate: ${baseRef}`;

/** A name that the default branch's policy gives to the check of a base branch. */
export interface SharedName {
  readonly name: string;
  /** False: only a pattern with `*` or `?` covers the branch, and whoever may push can create such a branch. */
  readonly isExact: boolean;
}

/** Returns the name of the first pattern that matches; null: none does. */
export function findSharedName(
  policy: Pick<Policy, "checkNames"> | null,
  baseRef: string,
): SharedName | null {
  const matching = (policy?.checkNames ?? []).filter(({ branch }) => isGlobMatch(branch, baseRef));
  const [first] = matching;
  if (first === undefined) return null;
  const { name } = first;
  return { name, isExact: matching.some((one) => one.name === name && !/[*?]/.test(one.branch)) };
}

/** The name of the check for a base branch, as long as GitHub requires it there: the policy's, else the branch's own. */
export const resolveCheckName = (policy: Policy | null, baseRef: string): string =>
  findSharedName(policy, baseRef)?.name ?? formatCheckName(baseRef);
