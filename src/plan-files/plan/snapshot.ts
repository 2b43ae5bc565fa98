import type {
  Category,
  ChangeType,
  CountsMarker,
  PlanGaps,
} from "../../platform/contract/resource-changes.ts";

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
export interface PlanCounts {
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
