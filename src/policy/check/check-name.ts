import { isGlobMatch } from "../../kernel/glob.ts";
import type { Policy } from "../model/policy.ts";

/** The name of the check for a base branch: the policy's first pattern that matches, else `tollgate: <base branch>`. */
export function resolveCheckName(policy: Policy | null, baseRef: string): string {
  const named = policy?.checkNames.find(({ branch }) => isGlobMatch(branch, baseRef));
  return named?.name ?? `tollgate: ${baseRef}`;
}
