import type { ChangeType, PlanGaps } from "../../platform/contract/resource-changes.ts";
import {
  CATEGORIES,
  type Category,
  CHANGE_TYPES,
  type CountsMarker,
  type PlanNotes,
} from "../../platform/contract/resource-changes.ts";
import { mapKeys } from "../address.ts";
import type { Secrets } from "./secrets.ts";

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
export function buildCountsMarker(
  rows: RowsByCategory,
  { added, changed, deleted, unchanged }: PlanCounts,
  notes: PlanNotes,
): CountsMarker {
  return {
    PlannedTotal: rows.planned_changes.length,
    PlannedByChangeType: { added, changed, deleted, unchanged },
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

/** One row of a snapshot: its identity, and the complete element to upload. */
export interface PlanRow {
  /** `unchanged` for rows that describe no change (`resources`, `data_sources`). */
  readonly change: ChangeType;
  /** Full address; the name for outputs. Sensitive values in instance keys are masked. */
  readonly address: string;
  /** Previous address, when the code moves the resource. */
  readonly previousAddress?: string;
  /** Why the plan does this, in Terraform's words. */
  readonly reason?: string;
  readonly type: string;
  readonly name: string;
  /** Module path without instance keys (`web.db`), `root` for none. */
  readonly module: string;
  /** The page element as JSON in UTF-8, with sensitive values masked; empty when elements were not wanted. */
  readonly element: Uint8Array;
}

/** A row that is not finished; its element is still a text. */
export type DraftRow = Omit<PlanRow, "element"> & { readonly element: string };

/** How many managed resources change. A replacement counts in `added` and in `deleted`. */
interface PlanCounts {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  readonly imported: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly drifted: number;
}

/** Masks the sensitive values of a plan in other texts, e.g. in an estimate of the same code. */
export interface PlanMask {
  mask(text: string): string;
  /** Masks the instance keys of an address. Different keys stay different. */
  maskKeys(address: string): string;
}

/** Masks the sensitive values of several plans. */
export const joinMasks = (masks: readonly PlanMask[]): PlanMask => ({
  mask: (text) => masks.reduce((masked, one) => one.mask(masked), text),
  maskKeys: (address) => masks.reduce((masked, one) => one.maskKeys(masked), address),
});

/** The content of one plan file without sensitive values. */
export interface PlanSnapshot extends PlanMask {
  /** The plan states that planning failed: its changes are incomplete. */
  readonly errored: boolean;
  /** What the plan leaves out; null: nothing. */
  readonly incomplete: PlanGaps | null;
  /** The file has every resource of code and state. False: planning failed, or a part was left out or cut out. */
  readonly isWhole: boolean;
  /**
   * Rows by category, sorted by change (CHANGE_TYPES), then name, then address. `planned_changes` contains
   * every managed resource of the plan, like the platform's own counts; `unchanged` repeats those without a
   * change.
   */
  readonly rows: Readonly<Record<Category, readonly PlanRow[]>>;
  /** The commit marker to upload. */
  readonly marker: CountsMarker;
  readonly counts: PlanCounts;
  /** Notes for the reader of the file, e.g. that text after the JSON was ignored. */
  readonly notes: readonly string[];
}

const CHUNK_BYTES = 1024 * 1024;

/**
 * Stores many texts as UTF-8 in a few large blocks outside the JavaScript heap. A small heap is collected
 * often and cheaply; a heap full of texts would grow to several times their size.
 */
export class ByteStore {
  readonly #encoder = new TextEncoder();
  #chunk = new Uint8Array(0);
  #used = 0;

  /** Stores a text and returns its bytes, which stay valid as long as they are referenced. */
  keep(text: string): Uint8Array {
    const { read, written } = this.#encoder.encodeInto(text, this.#chunk.subarray(this.#used));
    if (read === text.length) {
      const start = this.#used;
      this.#used += written;
      return this.#chunk.subarray(start, this.#used);
    }
    // A UTF-16 unit takes at most three bytes in UTF-8.
    this.#chunk = new Uint8Array(Math.max(CHUNK_BYTES, text.length * 3));
    this.#used = 0;
    return this.keep(text);
  }
}
