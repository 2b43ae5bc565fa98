import { anomalies } from "../platform/contract/anomalies.ts";
import { codeWebhooks } from "../platform/contract/code-webhooks.ts";
import { costChanges } from "../platform/contract/cost-changes.ts";
import { executions } from "../platform/contract/executions.ts";
import { flagKeys } from "../platform/contract/flag-keys.ts";
import { governance } from "../platform/contract/governance.ts";
import { ownOperations } from "../platform/contract/own-operations.ts";
import { recommendations } from "../platform/contract/recommendations.ts";
import type { contract } from "../platform/contract/registry.ts";
import { registryWebhooks } from "../platform/contract/registry-webhooks.ts";
import { resourceChanges } from "../platform/contract/resource-changes.ts";
import { settings } from "../platform/contract/settings.ts";
import { unitMetrics } from "../platform/contract/unit-metrics.ts";
import type { Right } from "../store/rights.ts";

const list = <Name extends string>(right: Right, operations: Readonly<Record<Name, unknown>>) =>
  // The keys are those of the operations.
  Object.fromEntries(Object.keys(operations).map((name) => [name, right])) as Record<Name, Right>;

/** The right that each operation needs; a later row replaces an earlier one. The compiler demands a row for each operation. */
export const OPERATION_RIGHTS = {
  ...list("account", { ...registryWebhooks, ...codeWebhooks, ...ownOperations }),
  ...list("account", { ...governance, ...recommendations, ...anomalies, ...unitMetrics }),
  ...list("project", { ...flagKeys, ...settings, ...executions, ...resourceChanges, ...costChanges }),
  getPushDisabled: "import",
  createExecution: "import",
  recordAuditEvent: "import",
  uploadChangePage: "import",
  uploadChangeCounts: "import",
  ingest: "import",
} satisfies Readonly<Record<keyof typeof contract, Right>>;
