import { type Category, CHANGE_TYPES, type ChangeType } from "../../platform/contract/resource-changes.ts";
import type { PlanRow } from "./plan-rows.ts";
import type { PlanSnapshot } from "./snapshot.ts";

/** One page to upload. Page numbers count from 1 per category, and per change type in it. */
export interface SnapshotPage {
  readonly category: Category;
  /** Present: the page contains only this change type. */
  readonly change?: ChangeType;
  readonly page: number;
  /** A JSON array in UTF-8. */
  readonly body: Uint8Array;
}

/**
 * Limits of one page, in bytes and elements: small enough for any server and quick to store, large enough for
 * few pages.
 */
const MAX_BYTES = 1_000_000;
const MAX_ELEMENTS = 2_000;

/** Categories that are uploaded as a whole and again per change type (provisioning document, upload rule 2). */
const PER_CHANGE: ReadonlySet<Category> = new Set(["planned_changes", "drift_changes"]);

/** Generates all pages of a snapshot in upload order, one at a time. An empty category has no pages. */
export function* generateSnapshotPages({ rows }: PlanSnapshot): Generator<SnapshotPage> {
  for (const [category, all] of Object.entries(rows) as [Category, readonly PlanRow[]][]) {
    // the keys of `rows`
    yield* generatePages(all, { category });
    if (!PER_CHANGE.has(category)) continue;
    for (const change of CHANGE_TYPES) {
      const ofType = all.filter((row) => row.change === change);
      yield* generatePages(ofType, { category, change });
    }
  }
}

function* generatePages(
  rows: readonly PlanRow[],
  about: Pick<SnapshotPage, "category" | "change">,
): Generator<SnapshotPage> {
  let elements: string[] = [];
  let bytes = 0;
  let page = 1;
  for (const row of rows) {
    const element = JSON.stringify(row.element);
    const size = Buffer.byteLength(element);
    if (elements.length === MAX_ELEMENTS || (bytes > 0 && bytes + size > MAX_BYTES)) {
      yield { ...about, page, body: toJsonArray(elements) };
      page += 1;
      elements = [];
      bytes = 0;
    }
    elements.push(element);
    bytes += size;
  }
  if (elements.length > 0) yield { ...about, page, body: toJsonArray(elements) };
}

const toJsonArray = (elements: readonly string[]): Uint8Array => Buffer.from(`[${elements.join(",")}]`);
