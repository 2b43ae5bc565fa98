import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Category, ChangeType } from "../../platform/contract/shapes/change-snapshot.ts";
import { transact } from "../../store/database/one-connection.ts";
import { searchLine } from "../area/fold-case.ts";
import type { StageKey } from "../area/keys.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { type PageElement, parsePage } from "./page-elements.ts";
import { byName } from "./row-order.ts";
import { addDetails, type NewDetail } from "./store/details.ts";
import { type FacetValues, saveFacets } from "./store/facets.ts";
import { findPage, savePage } from "./store/pages.ts";
import { addRows, type CategoryKey, deleteRows, type NewRow } from "./store/rows.ts";
import { deleteRuns, getRunNumber, saveRun } from "./store/runs.ts";
import { lockSnapshot } from "./store/snapshots.ts";
import type { ChangeTables } from "./store/tables.ts";

export interface PageUpload {
  readonly category: Category;
  /** Present: a page of this change type only, whose elements are counted but not stored as rows. */
  readonly change: ChangeType | undefined;
  readonly page: number;
  readonly body: Uint8Array;
}

/**
 * Rows and characters of detail stored between two turns of the event loop: the embedded database runs on it, and awaiting
 * its answers alone gives nobody else a turn.
 */
const ROWS_AT_ONCE = 125;
const DETAIL_AT_ONCE = 128 * 1024;

/**
 * Stores one page. Uploading the same page again has no effect; another body replaces it until the snapshot
 * is committed.
 */
export async function saveUploadedPage(
  db: Kysely<ChangeTables>,
  stage: StageKey,
  upload: PageUpload,
): Promise<Problem<"bad_request" | "conflict"> | null> {
  const elements = await parsePage(upload.category, upload.change, upload.body);
  if (!isElements(elements)) return elements;
  await setImmediate();
  const digest = createHash("sha256").update(upload.body).digest("hex");
  await setImmediate();
  return transact(db, async (trx) => {
    const { account, snapshot_id, state } = await lockSnapshot(trx, stage);
    const { category, change = "", page } = upload;
    const key = { account, snapshot_id, category, change, page };
    const earlier = await findPage(trx, key);
    if (earlier?.digest === digest) return null;
    if (state !== "uploading")
      return createProblem(
        "conflict",
        "the resource changes of this stage are committed and cannot be changed",
      );
    if (upload.change === undefined) {
      await removeElements(trx, key, earlier?.elements ?? 0);
      await storeElements(trx, key, elements);
    }
    await savePage(trx, { ...key, bytes: upload.body.length, digest, elements: elements.length });
    return null;
  });
}

const isElements = (value: readonly PageElement[] | Problem): value is readonly PageElement[] =>
  Array.isArray(value);

type WholePage = CategoryKey & { readonly page: number };

async function removeElements(trx: Kysely<ChangeTables>, key: WholePage, elements: number): Promise<void> {
  for (let from = 0; from < elements; from += ROWS_AT_ONCE) {
    await deleteRows(trx, key, { page: key.page, from, to: from + ROWS_AT_ONCE });
    await setImmediate();
  }
  await deleteRuns(trx, key, key.page);
}

/** Stores a page's elements as runs, in order within each; the commit sees to the order across pages. */
async function storeElements(
  trx: Kysely<ChangeTables>,
  { account, snapshot_id, category, page }: WholePage,
  elements: readonly PageElement[],
): Promise<void> {
  const key = { account, snapshot_id, category };
  for (const [priority, unsorted] of Map.groupBy(elements, (element) => element.priority)) {
    const group = unsorted.toSorted((a, b) => byName(a.row, b.row));
    await setImmediate();
    const run = getRunNumber(priority, page);
    const facets: number[] = [];
    for (const part of splitIntoParts(group))
      facets.push(...(await storePart(trx, key, { run, first: facets.length, part })));
    await saveRun(trx, {
      ...key,
      run,
      elements: group.length,
      first_ordinal: null,
      search: group.map(({ row }) => searchLine(row.resource_address, row.name)).join("\n"),
      facets: JSON.stringify(facets),
    });
  }
}

async function storePart(
  trx: Kysely<ChangeTables>,
  key: CategoryKey,
  { run, first, part }: { run: number; first: number; part: readonly PageElement[] },
): Promise<number[]> {
  const facets = await saveFacets(
    trx,
    key,
    part.map(({ facet }): FacetValues => facet),
  );
  const rows = part.map(({ row, detail }, index): NewRow => {
    const detail_bytes = Buffer.byteLength(detail);
    return { ...row, run, position: first + index, facet: facets[index] ?? -1, detail_bytes };
  });
  await addRows(trx, key, rows);
  const details = part.map(({ detail }, index): NewDetail => ({ run, position: first + index, detail }));
  await addDetails(trx, key, details);
  await setImmediate();
  return facets;
}

/** Cuts elements into parts for one statement each: by number, and by the length of their details. */
function* splitIntoParts(elements: readonly PageElement[]): Generator<PageElement[]> {
  let part: PageElement[] = [];
  let length = 0;
  for (const element of elements) {
    if (
      part.length === ROWS_AT_ONCE ||
      (part.length > 0 && length + element.detail.length > DETAIL_AT_ONCE)
    ) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(element);
    length += element.detail.length;
  }
  if (part.length > 0) yield part;
}
