import type { ChangeType } from "../../platform/contract/resource-changes.ts";
import { parseAddress } from "../address.ts";

/**
 * Whether the resource is managed: neither a data source nor ephemeral. A missing or unknown mode counts as
 * managed.
 */
export function isManaged({
  address,
  mode,
}: {
  readonly address: string;
  readonly mode?: string | undefined;
}): boolean {
  return !UNCOUNTED_MODES.has(mode ?? parseAddress(address)?.mode ?? "managed");
}

const UNCOUNTED_MODES: ReadonlySet<string> = new Set(["data", "ephemeral", "list"]);

const CHANGE_BY_ACTION: ReadonlyMap<string, ChangeType> = new Map([
  ["delete", "deleted"],
  ["create", "added"],
  ["update", "changed"],
  ["forget", "removed"],
]);

const WITHOUT_CHANGE: ReadonlySet<string> = new Set(["no-op", "read"]);

/** Whether there is at least one action and all of them are known. */
export const areActionsKnown = (actions: readonly string[]): boolean =>
  actions.length > 0 && actions.every((action) => CHANGE_BY_ACTION.has(action) || WITHOUT_CHANGE.has(action));

/**
 * The rows that one entry of a plan produces. A replacement is a deletion and a creation at the same address.
 */
interface RowChanges {
  readonly changes: readonly ChangeType[];
  readonly replaced: boolean;
}

/**
 * Derives the rows of a set of actions (`["delete", "create"]`, `["no-op"]`, …), in the sort order of rows.
 * An import counts in addition to other actions, as in the tools' own counts. A read produces no row.
 */
export function deriveRowChanges({
  actions,
  importing = null,
}: {
  readonly actions: readonly string[];
  readonly importing?: unknown;
}): RowChanges {
  const isImported = importing !== null;
  const changes: ChangeType[] = [];
  for (const [action, change] of CHANGE_BY_ACTION) if (actions.includes(action)) changes.push(change);
  if (changes.length === 0 && actions.includes("no-op") && !isImported) changes.push("unchanged");
  if (isImported) changes.push("imported");
  return { changes, replaced: actions.includes("delete") && actions.includes("create") };
}
