import type { ContextGrant, OperatorRules } from "../../run/operator-rules.ts";
import { type Grantee, selectGrants } from "../platform/grants.ts";

/**
 * Returns what a repository may see in addition to its projects: all of the operator's grants, narrowed by
 * its policy.
 */
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
