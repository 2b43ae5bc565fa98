import type { ChangeType } from "../../platform/contract/shapes/change-snapshot.ts";

/** What one entry of a plan means in rows. A replacement is a deletion and a creation of one address. */
export interface RowChanges {
  readonly changes: readonly ChangeType[];
  readonly replaced: boolean;
}

const NOTHING: RowChanges = { changes: [], replaced: false };

const BY_ACTION: ReadonlyMap<string, ChangeType> = new Map([
  ["delete", "deleted"],
  ["create", "added"],
  ["update", "changed"],
  ["forget", "removed"],
]);

/** Whether each of the actions, one at least, is one that tools are known to write. */
export const areActionsKnown = (actions: readonly string[]): boolean =>
  actions.length > 0 && actions.every((action) => BY_ACTION.has(action) || WITHOUT_CHANGE.has(action));

const WITHOUT_CHANGE: ReadonlySet<string> = new Set(["no-op", "read"]);

/**
 * The rows of a set of actions (`["delete", "create"]`, `["no-op"]`, …), in the order in which rows are sorted. Importing comes
 * beside what else happens, as the tools count it. Reads make no row.
 */
export function deriveRowChanges(actions: readonly string[], importing: boolean): RowChanges {
  const changes: ChangeType[] = [];
  for (const [action, change] of BY_ACTION) if (actions.includes(action)) changes.push(change);
  const known = changes.length > 0 || actions.includes("no-op");
  if (!known) return importing ? { changes: ["imported"], replaced: false } : NOTHING;
  if (importing) changes.push("imported");
  if (changes.length === 0) changes.push("unchanged");
  return { changes, replaced: actions.includes("delete") && actions.includes("create") };
}
