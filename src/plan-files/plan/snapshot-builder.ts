import {
  CATEGORIES,
  type Category,
  CHANGE_TYPES,
  type CountsMarker,
  type PlanNotes,
} from "../../platform/contract/resource-changes.ts";
import { mapKeys } from "../address.ts";
import type { ByteStore } from "./byte-store.ts";
import type { Secrets } from "./secrets.ts";
import type { PlanCounts, PlanRow } from "./snapshot.ts";

type RowsByCategory = Record<Category, PlanRow[]>;

/** Members of an element that may contain values; all others are names from the code. */
const VALUE_MEMBERS = ["changes", "attributes", "old", "new", "value", "resource_id"] as const;

const DECODER = new TextDecoder();

/** Creates an empty list of rows for each category. */
export function createEmptyRows(): RowsByCategory {
  return {
    planned_changes: [],
    unchanged: [],
    drift_changes: [],
    resources: [],
    data_sources: [],
    outputs: [],
  };
}

/** Sorts the rows, masks all sensitive values in them, and stores their elements. */
export function finishRows(rows: RowsByCategory, secrets: Secrets, store: ByteStore): RowsByCategory {
  const finished = createEmptyRows();
  for (const category of CATEGORIES) {
    finished[category] = rows[category].map((row) => maskRow(row, secrets, store)).sort(compareRows);
  }
  return finished;
}

/** Builds the counts marker of finished rows. */
export function buildCountsMarker(rows: RowsByCategory, notes: PlanNotes): CountsMarker {
  const planned = (change: PlanRow["change"]) =>
    rows.planned_changes.filter((row) => row.change === change).length;
  return {
    PlannedTotal: rows.planned_changes.length,
    PlannedByChangeType: {
      added: planned("added"),
      changed: planned("changed"),
      deleted: planned("deleted"),
      unchanged: rows.unchanged.length,
    },
    Drift: rows.drift_changes.length,
    Resources: rows.resources.length,
    DataSources: rows.data_sources.length,
    Outputs: rows.outputs.length,
    PlanNotes: notes,
  };
}

/** Counts finished rows by change. */
export function countPlanRows(rows: RowsByCategory): PlanCounts {
  const planned = (change: PlanRow["change"]) =>
    rows.planned_changes.filter((row) => row.change === change).length;
  return {
    added: planned("added"),
    changed: planned("changed"),
    deleted: planned("deleted"),
    imported: planned("imported"),
    removed: planned("removed"),
    unchanged: rows.unchanged.length,
    drifted: rows.drift_changes.length,
  };
}

function maskRow(row: PlanRow, secrets: Secrets, store: ByteStore): PlanRow {
  const mask = (key: string) => secrets.maskKey(key);
  const before = row.previousAddress;
  const places = {
    address: mapKeys(row.address, mask),
    ...(before === undefined ? {} : { previousAddress: mapKeys(before, mask) }),
  };
  const text = DECODER.decode(row.element);
  if (text === "" || !secrets.suspects(text)) return { ...row, ...places };
  // this module serialised it as an object
  const element = JSON.parse(text) as Record<string, unknown>;
  if ("resource_address" in element) element["resource_address"] = places.address;
  if ("previous_address" in element) element["previous_address"] = places.previousAddress;
  for (const member of VALUE_MEMBERS) {
    if (member in element) element[member] = secrets.maskValue(element[member]);
  }
  return { ...row, ...places, element: store.keep(JSON.stringify(element)) };
}

function compareRows(a: PlanRow, b: PlanRow): number {
  const byChange = CHANGE_TYPES.indexOf(a.change) - CHANGE_TYPES.indexOf(b.change);
  return byChange || compareText(a.name, b.name) || compareText(a.address, b.address);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
