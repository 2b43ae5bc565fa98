import type { ChangeType } from "../../platform/contract/resource-changes.ts";

/**
 * The rows that one entry of a plan produces. A replacement is a deletion and a creation at the same address.
 */
export interface RowChanges {
  readonly changes: readonly ChangeType[];
  readonly replaced: boolean;
}

const NO_CHANGES: RowChanges = { changes: [], replaced: false };

const CHANGE_BY_ACTION: ReadonlyMap<string, ChangeType> = new Map([
  ["delete", "deleted"],
  ["create", "added"],
  ["update", "changed"],
  ["forget", "removed"],
]);

/** Whether there is at least one action and all of them are known. */
export const areActionsKnown = (actions: readonly string[]): boolean =>
  actions.length > 0 && actions.every((action) => CHANGE_BY_ACTION.has(action) || WITHOUT_CHANGE.has(action));

const WITHOUT_CHANGE: ReadonlySet<string> = new Set(["no-op", "read"]);

/**
 * Derives the rows of a set of actions (`["delete", "create"]`, `["no-op"]`, …), in the sort order of rows.
 * An import counts in addition to other actions, as in the tools' own counts. A read produces no row.
 */
export function deriveRowChanges(actions: readonly string[], importing: boolean): RowChanges {
  const changes: ChangeType[] = [];
  for (const [action, change] of CHANGE_BY_ACTION) if (actions.includes(action)) changes.push(change);
  const known = changes.length > 0 || actions.includes("no-op");
  if (!known) return importing ? { changes: ["imported"], replaced: false } : NO_CHANGES;
  if (importing) changes.push("imported");
  if (changes.length === 0) changes.push("unchanged");
  return { changes, replaced: actions.includes("delete") && actions.includes("create") };
}
