import type { EndpointOutput } from "../../platform/contract/endpoint.ts";
import type { listChanges, ChangeRow as PlatformRow } from "../../platform/contract/resource-changes.ts";
import type { ChangeCounts, ChangeKind, Fact, ResourceChange, StageParts } from "../../report/model/facts.ts";
import { findModulePath, normalizeModuleName, parseResourceType } from "../../report/model/module-path.ts";
import { ATTRIBUTE_CHANGE_KINDS, buildAttributeChanges, type SourceChange } from "./attribute-values.ts";
import { unknown } from "./platform-facts.ts";

/** Number of resource changes by kind, as the platform counts them; null: not stated. */
export type PlannedCounts = {
  readonly [K in Exclude<keyof ChangeCounts, "replaced">]: number | null;
};

/** The resource changes of one stage: how many, and which. */
export type ChangeFacts = Pick<StageParts, "counts" | "rows" | "planNotes" | "outputRows" | "outputs">;

/**
 * The members of a row that are read: from an indexed snapshot, from the whole listing, or from a plan file.
 */
export type SourceRow = Pick<
  PlatformRow,
  | "action_reason"
  | "change"
  | "mode"
  | "module"
  | "name"
  | "previous_address"
  | "resource_address"
  | "tags"
  | "type"
> & {
  /** Index in the platform's listing; identifies the row's details. */
  readonly ordinal?: number | undefined;
  /** Changes by attribute name, if the source includes them. */
  readonly changes?: Readonly<Record<string, SourceChange>> | null | undefined;
};

export interface PlatformChanges {
  readonly counts: PlannedCounts;
  readonly planned: {
    readonly rows: readonly SourceRow[];
    /** Whether the address of every deleted row was searched among the created rows. */
    readonly replacementsKnown: boolean;
  };
  readonly drift: { readonly rows: readonly SourceRow[]; readonly total: number };
}

/**
 * Builds the change facts of an indexed stage. The platform states the counts, except replacements: these are
 * the addresses that are both deleted and created.
 */
export function buildChangesFromRows({ counts, planned, drift }: PlatformChanges): ChangeFacts {
  const rows = planned.rows.filter(isResource);
  const replaced = findReplaced(rows);
  const valued = new Set([...rows, ...drift.rows].filter(hasValues).slice(0, MAX_VALUED));
  const write = (row: SourceRow, change: ChangeKind) => buildReportRow(row, change, valued.has(row));
  const changeRows = [
    ...withoutDoubles(rows.flatMap((row) => buildPlannedRows(row, replaced, write))),
    ...drift.rows.map((row) => write(row, "drifted")),
  ];
  const lacking = [
    ...LISTED_CHANGES.map(
      (kind) => (counts[kind] ?? 0) - rows.filter(({ change }) => change === kind).length,
    ),
    drift.total - drift.rows.length,
  ];
  const omitted = lacking.reduce((sum, count) => sum + Math.max(0, count), 0);
  // More rows than the count: one of both belongs to another plan.
  const contradicts = lacking.some((count) => count < 0);
  return {
    counts: contradicts
      ? unknown("contradictory")
      : buildCounts(counts, countReplaced(counts, planned.replacementsKnown, replaced)),
    rows: { state: "known", value: { rows: changeRows, omitted, unread: countUnreadRows(counts, rows) } },
  };
}

/** Most rows with attribute values; for further rows only the attribute names are stored. */
const MAX_VALUED = 100;
const hasValues = ({ change, changes }: SourceRow): boolean => changes != null && change !== "added";

/** Returns the number of created and changed resources that are counted but were not read. */
function countUnreadRows({ added, changed }: PlannedCounts, rows: readonly SourceRow[]): number {
  const read = rows.filter(({ change }) => change === "added" || change === "changed").length;
  return Math.max(0, (added ?? 0) + (changed ?? 0) - read);
}

/**
 * Builds the change facts from the listing of a stage that is not indexed. It contains every row, so all
 * counts are computed from it.
 */
export function buildChangesFromListing(listing: EndpointOutput<typeof listChanges>): ChangeFacts {
  const planned = listing.planned_changes.filter(isResource);
  const drift = listing.drift_changes.filter(isResource);
  if (planned.some(({ change }) => !KINDS.has(change ?? ""))) {
    return { counts: unknown("malformed"), rows: unknown("malformed") };
  }
  const count = (kind: string) => planned.filter(({ change }) => change === kind).length;
  return buildChangesFromRows({
    counts: {
      added: count("added"),
      changed: count("changed"),
      deleted: count("deleted"),
      imported: count("imported"),
      removed: count("removed"),
      unchanged: count("unchanged"),
      drifted: drift.length,
    },
    planned: { rows: planned, replacementsKnown: true },
    drift: { rows: drift, total: drift.length },
  });
}

const KINDS: ReadonlySet<string> = new Set([
  "added",
  "changed",
  "deleted",
  "imported",
  "removed",
  "unchanged",
]);
/** Planned changes that are listed one by one. */
const LISTED_CHANGES = ["deleted", "removed", "imported"] as const;

/** Whether a row is a resource: data sources and outputs are not counted; a missing mode means managed. */
const isResource = ({ mode }: SourceRow): boolean => mode !== "data" && mode !== "output";

function buildCounts(counts: PlannedCounts, replaced: number | null): Fact<ChangeCounts> {
  const { added, changed, deleted, imported, removed, unchanged, drifted } = counts;
  if (added === null || changed === null || deleted === null || drifted === null)
    return unknown("not_stated");
  if (imported === null || removed === null || unchanged === null) return unknown("not_stated");
  return {
    state: "known",
    value: { added, changed, deleted, replaced, imported, removed, unchanged, drifted },
  };
}

function countReplaced(counts: PlannedCounts, known: boolean, replaced: ReadonlySet<string>): number | null {
  if (counts.deleted === 0 || counts.added === 0) return 0;
  return known ? replaced.size : null;
}

function findReplaced(rows: readonly SourceRow[]): ReadonlySet<string> {
  const created = new Set(rows.filter(({ change }) => change === "added").map(getAddress));
  return new Set(
    rows
      .filter(({ change }) => change === "deleted")
      .map(getAddress)
      .filter((address) => created.has(address)),
  );
}

/**
 * Converts a planned row. A replacement becomes one row; an unchanged resource becomes none unless it moves.
 */
function buildPlannedRows(
  row: SourceRow,
  replaced: ReadonlySet<string>,
  write: (row: SourceRow, change: ChangeKind) => ResourceChange,
): readonly ResourceChange[] {
  const both = replaced.has(getAddress(row));
  switch (row.change) {
    case "deleted":
      return [write(row, both ? "replaced" : "deleted")];
    case "added":
      return both ? [] : [write(row, "added")];
    case "changed":
      return [write(row, "changed")];
    case "removed":
      return [write(row, "removed")];
    case "imported":
      return [write(row, "imported")];
    case "unchanged":
      return row.previous_address === undefined ? [] : [write(row, "moved")];
    default:
      return [];
  }
}

/** Removes duplicates: a listing contains unchanged resources twice, including those that only move. */
function withoutDoubles(rows: readonly ResourceChange[]): readonly ResourceChange[] {
  const moved = new Set<string>();
  return rows.filter(({ change, address }) => {
    if (change !== "moved") return true;
    const isFirst = !moved.has(address);
    moved.add(address);
    return isFirst;
  });
}

function buildReportRow(row: SourceRow, change: ChangeKind, isValued: boolean): ResourceChange {
  const {
    type,
    module = "",
    ordinal,
    previous_address: previousAddress,
    changes,
    tags,
    action_reason: reason,
  } = row;
  const address = getAddress(row);
  return {
    address,
    type: type || parseResourceType(row.resource_address ?? ""),
    module: findModulePath(address) ?? normalizeModuleName(module),
    change,
    ...(ordinal === undefined ? {} : { ordinal }),
    ...(previousAddress === undefined ? {} : { previousAddress }),
    ...(reason === undefined ? {} : { reason }),
    ...(tags === undefined ? {} : { tags }),
    ...(changes ? { changedAttributes: Object.keys(changes) } : {}),
    ...(changes && isValued && ATTRIBUTE_CHANGE_KINDS.includes(change)
      ? { attributeChanges: buildAttributeChanges(changes) }
      : {}),
  };
}

/** Returns the row's address; without one, its module, type and name. */
const getAddress = ({ resource_address: address, module, type, name }: SourceRow): string =>
  address ?? [module === "root" ? undefined : module, type, name].filter((part) => part).join(".");
