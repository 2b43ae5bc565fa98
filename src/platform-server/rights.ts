import { anomalies } from "../platform/contract/anomalies.ts";
import { codeWebhooks } from "../platform/contract/code-webhooks.ts";
import { createExecution, recordAuditEvent } from "../platform/contract/executions.ts";
import { flagKeys } from "../platform/contract/flag-keys.ts";
import { governance } from "../platform/contract/governance.ts";
import {
  commitImport,
  dropImport,
  emitEvent,
  ingest,
  releaseProject,
  unbindCommit,
  uploadImportPage,
} from "../platform/contract/own-operations.ts";
import { recommendations } from "../platform/contract/recommendations.ts";
import { type contract, executions } from "../platform/contract/registry.ts";
import { registryWebhooks } from "../platform/contract/registry-webhooks.ts";
import {
  listChanges,
  readChangeCounts,
  uploadChangeCounts,
  uploadChangePage,
} from "../platform/contract/resource-changes.ts";
import { getPushDisabled, settings } from "../platform/contract/settings.ts";
import { unitMetrics } from "../platform/contract/unit-metrics.ts";
import type { Right } from "../store/rights.ts";

const list = <Name extends string>(right: Right, operations: Readonly<Record<Name, unknown>>) =>
  // The keys are those of the operations.
  Object.fromEntries(Object.keys(operations).map((name) => [name, right])) as Record<Name, Right>;

/** The right that each operation needs; a later row replaces an earlier one. The compiler demands a row for each operation. */
export const OPERATION_RIGHTS = {
  ...list("account", { ...registryWebhooks, ...codeWebhooks, emitEvent }),
  ...list("account", { ...governance, ...recommendations, ...anomalies, ...unitMetrics }),
  ...list("account", { uploadImportPage, commitImport, dropImport, unbindCommit, releaseProject }),
  ...list("project", { ...flagKeys, ...settings, ...executions, listChanges, readChangeCounts }),
  ...list("import", { getPushDisabled, createExecution, recordAuditEvent }),
  ...list("import", { uploadChangePage, uploadChangeCounts, ingest }),
} satisfies Readonly<Record<keyof typeof contract, Right>>;
