import { type Category, CHANGE_TYPES, type ChangeType } from "../../platform/contract/change-snapshot.ts";
import type { PlanSnapshot, SnapshotRow } from "./snapshot.ts";

/** One page to upload; pages of a category, and of each change type in it, count from 1. */
export interface SnapshotPage {
  readonly category: Category;
  /** Present: the page is one of this change type only. */
  readonly change?: ChangeType;
  readonly page: number;
  /** A JSON array in UTF-8. */
  readonly body: Uint8Array;
}

/** In characters and elements: small enough for any server and quick to store, large enough to be few. */
const MAX_CHARACTERS = 1_500_000;
const MAX_ELEMENTS = 2_000;

/** Categories that are uploaded as a whole and again per change type (provisioning document, upload rule 2). */
const PER_CHANGE: ReadonlySet<Category> = new Set(["planned_changes", "drift_changes"]);

/** All pages of a snapshot in the order in which they are uploaded, made one at a time. Empty categories have none. */
export function* snapshotPages({ rows }: PlanSnapshot): Generator<SnapshotPage> {
  for (const [category, all] of Object.entries(rows) as [Category, readonly SnapshotRow[]][]) {
    // the keys of `rows`
    yield* pagesOf(all, { category });
    if (!PER_CHANGE.has(category)) continue;
    for (const change of CHANGE_TYPES) {
      const ofType = all.filter((row) => row.change === change);
      yield* pagesOf(ofType, { category, change });
    }
  }
}

function* pagesOf(
  rows: readonly SnapshotRow[],
  about: Pick<SnapshotPage, "category" | "change">,
): Generator<SnapshotPage> {
  const encoder = new TextEncoder();
  let elements: string[] = [];
  let characters = 0;
  let page = 0;
  for (const { element } of rows) {
    if (
      elements.length === MAX_ELEMENTS ||
      (characters > 0 && characters + element.length > MAX_CHARACTERS)
    ) {
      page += 1;
      yield { ...about, page, body: encoder.encode(`[${elements.join(",")}]`) };
      elements = [];
      characters = 0;
    }
    elements.push(element);
    characters += element.length;
  }
  if (elements.length > 0)
    yield { ...about, page: page + 1, body: encoder.encode(`[${elements.join(",")}]`) };
}
