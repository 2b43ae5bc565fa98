import { createExecution, recordAuditEvent } from "../platform/contract/executions.ts";
import { flagKeys } from "../platform/contract/flag-keys.ts";
import { ingest, listChanges, readChangeCounts } from "../platform/contract/own-operations.ts";
import { contract, executions } from "../platform/contract/registry.ts";
import { uploadChangeCounts, uploadChangePage } from "../platform/contract/resource-changes.ts";
import { getPushDisabled, settings } from "../platform/contract/settings.ts";
import type { Right } from "../store/rights.ts";

const list = <Name extends string>(right: Right, operations: Readonly<Record<Name, unknown>>) =>
  // The keys are those of the operations.
  Object.fromEntries(Object.keys(operations).map((name) => [name, right])) as Record<Name, Right>;

/** The right that each operation needs; a later row replaces an earlier one. An operation without a right is refused. */
export const OPERATION_RIGHTS = {
  ...list("account", contract),
  ...list("project", { ...flagKeys, ...settings, ...executions, listChanges, readChangeCounts }),
  ...list("import", { getPushDisabled, createExecution, recordAuditEvent }),
  ...list("import", { uploadChangePage, uploadChangeCounts, ingest }),
};
