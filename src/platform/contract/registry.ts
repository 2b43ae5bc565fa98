import { anomalies } from "./anomalies.ts";
import { codeWebhooks } from "./code-webhooks.ts";
import { getCostChange, listModuleCosts, listStageCosts } from "./cost-changes.ts";
import type { Contract, Endpoint } from "./endpoint.ts";
import { createExecution, getExecution, listExecutions, recordAuditEvent } from "./executions.ts";
import { flagKeys } from "./flag-keys.ts";
import { governance } from "./governance.ts";
import {
  commitImport,
  dropImport,
  emitEvent,
  ingest,
  releaseProject,
  unbindCommit,
  uploadImportPage,
} from "./own-operations.ts";
import { recommendations } from "./recommendations.ts";
import { registryWebhooks } from "./registry-webhooks.ts";
import {
  countChangeFilters,
  getChangeRow,
  listChangeRows,
  listChanges,
  readChangeCounts,
  uploadChangeCounts,
  uploadChangePage,
} from "./resource-changes.ts";
import { settings } from "./settings.ts";
import { unitMetrics } from "./unit-metrics.ts";

/** Executions with their resource changes and costs (provisioning 4.2). */
export const executions = {
  listExecutions,
  createExecution,
  getExecution,
  recordAuditEvent,
  uploadChangePage,
  listChangeRows,
  getChangeRow,
  uploadChangeCounts,
  countChangeFilters,
  getCostChange,
  listStageCosts,
  listModuleCosts,
} as const satisfies Contract;

/** Not in the platform's documents: see docs/architecture.md. */
export const ours = {
  listChanges,
  readChangeCounts,
  ingest,
  unbindCommit,
  releaseProject,
  uploadImportPage,
  commitImport,
  dropImport,
  emitEvent,
} as const satisfies Contract;

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
  ...ours,
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
