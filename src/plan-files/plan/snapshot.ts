import type { Category, ChangeType, CountsMarker } from "../../platform/contract/shapes/change-snapshot.ts";

/** One row of a snapshot: its identity, and the complete element to upload. */
export interface PlanRow {
  /** `unchanged` for rows that describe no change (`resources`, `data_sources`). */
  readonly change: ChangeType;
  /** Full address; the name for outputs. Sensitive values in instance keys are masked. */
  readonly address: string;
  /** Previous address, when the code moves the resource. */
  readonly previousAddress?: string;
  readonly type: string;
  readonly name: string;
  /** Module path without instance keys (`web.db`), `root` for none. */
  readonly module: string;
  /** The page element as JSON in UTF-8, with sensitive values masked; empty when elements were not wanted. */
  readonly element: Uint8Array;
}

/** A row that is not finished; its element is still a text. */
export type DraftRow = Omit<PlanRow, "element"> & { readonly element: string };

/** How many managed resources change. A replacement counts in `added`, in `deleted` and in `replaced`. */
export interface PlanCounts {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  readonly replaced: number;
  readonly imported: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly drifted: number;
}

/** What a plan leaves out: deferred changes, or, with none, a part of the code. */
export interface PlanGaps {
  /** The first deferred changes, with masked addresses. */
  readonly deferred: readonly { readonly address: string; readonly change: ChangeType | "replaced" }[];
  /** Number of further deferred changes. */
  readonly more: number;
}

/** The content of one plan file without sensitive values. */
export interface PlanSnapshot {
  /** The plan states that planning failed: its changes are incomplete. */
  readonly errored: boolean;
  /** What the plan leaves out; null: nothing. */
  readonly incomplete: PlanGaps | null;
  /**
   * Rows by category, sorted by change (CHANGE_TYPES), then name, then address. `planned_changes` contains
   * every managed resource of the plan, like the platform's own counts; `unchanged` repeats those without a
   * change.
   */
  readonly rows: Readonly<Record<Category, readonly PlanRow[]>>;
  /** The commit marker to upload. */
  readonly marker: CountsMarker;
  readonly counts: PlanCounts;
  /** Addresses of replaced resources: each has a `deleted` and an `added` row. */
  readonly replaced: ReadonlySet<string>;
  /** Masks every sensitive value of this plan in another text, e.g. in an estimate of the same code. */
  readonly mask: (text: string) => string;
  /** Notes for the reader of the file, e.g. that text after the JSON was ignored. */
  readonly notes: readonly string[];
}
