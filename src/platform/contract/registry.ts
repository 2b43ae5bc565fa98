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

// Literal segments sort before parameters at each position, so the first match is the right one.
const precedence = (path: string): string =>
  path
    .split("/")
    .map((segment) => (segment.startsWith("{") ? "~" : segment))
    .join("/");

/** The endpoints' names in the order in which a router that takes the first match must try them. */
export const namesInRouteOrder = (all: Contract): readonly string[] =>
  Object.entries(all)
    .map(([name, { path }]) => ({ name, key: precedence(path) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ name }) => name);
