/** The categories of a change snapshot (provisioning document, section 2.6). */
export const CATEGORIES = [
  "planned_changes",
  "unchanged",
  "drift_changes",
  "resources",
  "data_sources",
  "outputs",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** What happens to one resource, in the order in which rows are sorted. */
export const CHANGES = ["deleted", "added", "changed", "unchanged", "removed", "imported"] as const;
export type Change = (typeof CHANGES)[number];

/** One row of a snapshot: what every reader needs, and the whole element as it is uploaded. */
export interface SnapshotRow {
  /** Unchanged for rows that describe no change (`resources`, `data_sources`). */
  readonly change: Change;
  /** Full address; the name for outputs. Values in instance keys are masked when they are sensitive. */
  readonly address: string;
  readonly type: string;
  readonly name: string;
  /** Module path without instance keys (`web.db`), `root` for none. */
  readonly module: string;
  /** The page element as JSON text, sensitive values masked; empty when the plan was read without bodies. */
  readonly element: string;
}

/** The counts marker (provisioning document, section 2.8). */
export interface SnapshotCounts {
  readonly PlannedTotal: number;
  readonly PlannedByChangeType: {
    readonly added: number;
    readonly changed: number;
    readonly deleted: number;
    readonly unchanged: number;
  };
  readonly Drift: number;
  readonly Resources: number;
  readonly DataSources: number;
  readonly Outputs: number;
}

/** How many managed resources change. A replacement counts in `added`, in `deleted` and in `replaced`. */
export interface PlannedCounts {
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
  /** Per category, sorted by change (see CHANGES), then name, then address. */
  readonly rows: Readonly<Record<Category, readonly SnapshotRow[]>>;
  readonly marker: SnapshotCounts;
  readonly counts: PlannedCounts;
  /** Addresses of replaced resources: each has a `deleted` and an `added` row. */
  readonly replaced: ReadonlySet<string>;
  /** Masks every sensitive value of this plan in a text from elsewhere (e.g. an estimate of the same code). */
  mask(text: string): string;
  /** What the reader of the file should hear about it, e.g. text after the JSON that was ignored. */
  readonly notes: readonly string[];
}
