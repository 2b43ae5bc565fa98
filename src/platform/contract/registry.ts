import { anomalies } from "./anomalies.ts";
import { codeWebhooks } from "./code-webhooks.ts";
import { costChanges } from "./cost-changes.ts";
import type { Contract, Endpoint } from "./endpoint.ts";
import { executions } from "./executions.ts";
import { flagKeys } from "./flag-keys.ts";
import { governance } from "./governance.ts";
import { ownOperations } from "./own-operations.ts";
import { recommendations } from "./recommendations.ts";
import { registryWebhooks } from "./registry-webhooks.ts";
import { resourceChanges } from "./resource-changes.ts";
import { settings } from "./settings.ts";
import { unitMetrics } from "./unit-metrics.ts";

/** All endpoints by the name that handlers and callers use. */
export const contract = {
  ...flagKeys,
  ...registryWebhooks,
  ...codeWebhooks,
  ...governance,
  ...recommendations,
  ...anomalies,
  ...unitMetrics,
  ...settings,
  ...executions,
  ...resourceChanges,
  ...costChanges,
  ...ownOperations,
} as const satisfies Contract;

export const endpoints: readonly Endpoint[] = Object.values(contract);

/**
 * The endpoints' names in the order in which a first-match router must try them: literal segments precede
 * parameters, because "{" sorts after every letter.
 */
export const sortNamesByRoute = (all: Contract): readonly string[] =>
  Object.entries(all)
    .sort(([, a], [, b]) => (a.path < b.path ? -1 : 1))
    .map(([name]) => name);
