import { getCostChange, listModuleCosts, listStageCosts } from "./cost-changes.ts";
import type { Contract, Endpoint } from "./endpoint.ts";
import { createExecution, getExecution, listExecutions, recordAuditEvent } from "./executions.ts";
import { ingest, listChanges } from "./extra.ts";
import {
  countChangeFilters,
  getChangeRow,
  listChangeRows,
  uploadChangeCounts,
  uploadChangePage,
} from "./resource-changes.ts";
import { getPushDisabled } from "./settings.ts";

/** Every endpoint there is, by the name that handlers and callers use. */
export const contract = {
  listExecutions,
  createExecution,
  getExecution,
  recordAuditEvent,
  uploadChangePage,
  uploadChangeCounts,
  listChangeRows,
  getChangeRow,
  countChangeFilters,
  getCostChange,
  listStageCosts,
  listModuleCosts,
  getPushDisabled,
  listChanges,
  ingest,
} as const satisfies Contract;

export const endpoints: readonly Endpoint[] = Object.values(contract);

/**
 * The endpoints' names in the order in which a router that takes the first match must try them: literal segments come
 * before parameters, because "{" sorts after every letter.
 */
export const namesInRouteOrder = (all: Contract): readonly string[] =>
  Object.entries(all)
    .sort(([, a], [, b]) => (a.path < b.path ? -1 : 1))
    .map(([name]) => name);
