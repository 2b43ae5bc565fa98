import type { Category, ChangeType, CountsMarker } from "../../platform/contract/shapes/change-snapshot.ts";

/** One row of a snapshot: what every reader needs, and the whole element as it is uploaded. */
export interface PlanRow {
  /** `unchanged` for rows that describe no change (`resources`, `data_sources`). */
  readonly change: ChangeType;
  /** Full address; the name for outputs. Sensitive values in instance keys are masked. */
  readonly address: string;
  /** The address that it had, where the code moves it. */
  readonly previousAddress?: string;
  readonly type: string;
  readonly name: string;
  /** Module path without instance keys (`web.db`), `root` for none. */
  readonly module: string;
  /** The page element as JSON in UTF-8, sensitive values masked; empty where the plan was read without. */
  readonly element: Uint8Array;
}

/** A row as it is made; its element is a text still. */
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

/** Everything one plan file says, with nothing sensitive in it. */
export interface PlanSnapshot {
  /** The plan itself says that planning failed: its changes are not all there. */
  readonly errored: boolean;
  /**
   * Per category, sorted by change (CHANGE_TYPES), then name, then address. `planned_changes` has every managed resource of the
   * plan, as the platform's own counts have it; `unchanged` has those without a change once more.
   */
  readonly rows: Readonly<Record<Category, readonly PlanRow[]>>;
  /** The commit marker as it is uploaded. */
  readonly marker: CountsMarker;
  readonly counts: PlanCounts;
  /** Addresses of replaced resources: each has a `deleted` and an `added` row. */
  readonly replaced: ReadonlySet<string>;
  /** Masks every sensitive value of this plan in a text from elsewhere, e.g. in an estimate of the same code. */
  readonly mask: (text: string) => string;
  /** What the reader of the file should hear about it, e.g. that text after the JSON was ignored. */
  readonly notes: readonly string[];
}
