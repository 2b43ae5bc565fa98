import { type Category, CHANGE_TYPES, type ChangeType } from "../../platform/contract/resource-changes.ts";
import type { PlanRow, PlanSnapshot } from "./snapshot-builder.ts";

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
  let elements: Uint8Array[] = [];
  let bytes = 0;
  let page = 1;
  for (const { element } of rows) {
    if (elements.length === MAX_ELEMENTS || (bytes > 0 && bytes + element.length > MAX_BYTES)) {
      yield { ...about, page, body: joinJsonArray(elements, bytes) };
      page += 1;
      elements = [];
      bytes = 0;
    }
    elements.push(element);
    bytes += element.length;
  }
  if (elements.length > 0) yield { ...about, page, body: joinJsonArray(elements, bytes) };
}

const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];

/** Joins the elements to a JSON array; `bytes` is their total length. */
function joinJsonArray(elements: readonly Uint8Array[], bytes: number): Uint8Array {
  const body = new Uint8Array(bytes + elements.length + 1).fill(COMMA);
  body[0] = OPEN;
  let at = 1;
  for (const element of elements) {
    body.set(element, at);
    at += element.length + 1;
  }
  body[at - 1] = CLOSE;
  return body;
}
