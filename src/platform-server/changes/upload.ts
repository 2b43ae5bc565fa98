import { createHash } from "node:crypto";
import { DAY_MS } from "../../kernel/clock.ts";
import { parseJsonBytes } from "../../kernel/parse-json.ts";
import {
  type Category,
  CHANGE_TYPES,
  type ChangeType,
  CountsMarker,
  type resourceChanges,
} from "../../platform/contract/resource-changes.ts";
import { has, upsert } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area, Context } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { checkExecution } from "../executions/commits.ts";
import { readStage } from "../executions/stages.ts";
import { isPushDisabled } from "../settings/push-disabled.ts";
import { pickSnapshotKey, type SnapshotKey, type StageKey } from "../tables/keys.ts";
import type { Db } from "../tables/tables.ts";
import { parsePage } from "./parse-page.ts";
import type { SnapshotIndexes } from "./read.ts";
import { readPage, replaceRows } from "./rows.ts";
import { type IndexedRow, writeIndex } from "./snapshot-index.ts";
import { listPages, lockSnapshot, type UploadedPage } from "./snapshots.ts";

/** Largest page number; any integer of the database would do. */
const MAX_PAGE = 999_999;

/** Time after the commit of a snapshot during which its attribute data is readable, in ms. */
const DETAIL_RETENTION_MS = 30 * DAY_MS;

/** The categories that are uploaded a second time by change type (provisioning 4.2, upload rule 2). */
const BY_CHANGE_TYPE: readonly Category[] = ["planned_changes", "drift_changes"];

/** Handlers for uploading resource changes: pages, then the counts that commit them (provisioning 3 and 4.2). */
export const createUploadHandlers = (
  indexes: SnapshotIndexes,
): Area<Pick<typeof resourceChanges, "uploadChangePage" | "uploadChangeCounts">> => ({
  uploadChangePage: async ({ params: { category, page, ...rest }, query: { change }, body }, context) => {
    if (page > MAX_PAGE) refuse("bad_request", `pages go up to ${MAX_PAGE}`);
    if (change !== undefined && !BY_CHANGE_TYPE.includes(category))
      refuse("bad_request", `${category} has no pages of one change type`);
    const stage = { account: context.account, ...rest };
    await checkUpload(context, stage);
    await saveUploadedPage(context.db, stage, { category, change, page, body });
    return { body: undefined };
  },

  uploadChangeCounts: async ({ params, body }, context) => {
    const stage = { account: context.account, ...params };
    await checkUpload(context, stage);
    const committed = await commitChanges(context.db, stage, {
      body,
      nowMs: context.clock.now(),
    });
    // Read now, so that the first reader does not wait for it.
    await indexes.get(committed);
    return { body: undefined };
  },
});

async function checkUpload(context: Context, stage: StageKey): Promise<void> {
  await checkExecution(context, stage);
  if (await isPushDisabled(context.db, stage))
    refuse("locked", "plan and state data may not be pushed in this project");
  await readStage(context.db, stage);
}

interface PageUpload {
  readonly category: Category;
  /** Present: a page of this change type only, whose elements are counted but not stored as rows. */
  readonly change: ChangeType | undefined;
  readonly page: number;
  readonly body: Uint8Array;
}

/** Stores one page. Uploading the same page again has no effect; another body replaces it until the snapshot is committed. */
async function saveUploadedPage(
  db: Db,
  stage: StageKey,
  { category, change, page, body }: PageUpload,
): Promise<void> {
  const elements = await parsePage(category, change, body);
  const digest = createHash("sha256").update(body).digest("hex");
  await transact(db, async (trx) => {
    const { account, snapshot_id, state } = await lockSnapshot(trx, stage);
    const key = { account, snapshot_id, category, change: change ?? "", page };
    const uploaded = { ...key, bytes: body.length, digest, elements: elements.length };
    if ((await listPages(trx, key)).some((earlier) => isSamePage(earlier, uploaded))) return;
    if (state !== "uploading")
      refuse("conflict", "the resource changes of this stage are committed and cannot be changed");
    if (change === undefined) await replaceRows(trx, key, elements);
    await upsert(trx, "platform_pages", uploaded);
  });
}

const isSamePage = (a: UploadedPage, b: UploadedPage): boolean =>
  a.category === b.category && a.change === b.change && a.page === b.page && a.digest === b.digest;

/**
 * Accepts the counts marker, which makes the snapshot visible and final. The same marker again has no effect.
 * A marker that contradicts the uploaded pages is refused, because a page was probably lost. The rows are read and sorted before the
 * transaction, because a transaction blocks all other queries of the embedded database.
 */
async function commitChanges(
  db: Db,
  stage: StageKey,
  marker: { readonly body: Uint8Array; readonly nowMs: number },
): Promise<SnapshotKey> {
  const stated =
    CountsMarker.safeParse(parseJsonBytes(marker.body)).data ??
    refuse("bad_request", "the body is not the JSON object of counts that commits resource changes");
  const counts = JSON.stringify(stated);
  const { snapshot, pages } = await transact(db, async (trx) => {
    const found = await lockSnapshot(trx, stage);
    return { snapshot: found, pages: await listPages(trx, found) };
  });
  const isUploading = snapshot.state === "uploading";
  const rows = isUploading ? await readUploadedRows(db, pages) : new Map<Category, IndexedRow[]>();
  const incomplete = isUploading ? describeMissingParts(stated, pages, rows) : null;
  if (incomplete !== null) refuse("conflict", incomplete);
  const indexes = [...rows].map(([category, list]) => writeIndex(category, list));
  return transact(db, async (trx) => {
    const { state, counts: committed, ...newest } = await lockSnapshot(trx, stage);
    const key = pickSnapshotKey(newest);
    if (state === "committed") {
      if (committed === counts) return key;
      refuse("conflict", "the resource changes of this stage are committed with other counts");
    }
    const now = await listPages(trx, snapshot);
    if (now.length !== pages.length || !now.every((page) => pages.some((one) => isSamePage(one, page))))
      refuse("conflict", "a page arrived together with the counts; upload the counts after all pages");
    for (const index of indexes)
      await trx
        .insertInto("platform_indexes")
        .values({ ...key, ...index })
        .execute();
    await trx
      .updateTable("platform_snapshots")
      .set({ state: "committed", counts, committed_ms: marker.nowMs })
      .set({ details_until_ms: marker.nowMs + DETAIL_RETENTION_MS })
      .where(has(key))
      .execute();
    return key;
  });
}

type UploadedRows = ReadonlyMap<Category, readonly IndexedRow[]>;

async function readUploadedRows(db: Db, pages: readonly UploadedPage[]): Promise<UploadedRows> {
  const rows = new Map<Category, IndexedRow[]>();
  for (const page of pages) {
    if (page.change !== "" || page.elements === 0) continue;
    const list = rows.get(page.category) ?? [];
    rows.set(page.category, list);
    for await (const { position, row } of readPage(db, page)) {
      const { name = "", resource_address = "", change = null, provider = "", type = "", module = "" } = row;
      const isMoved = row.previous_address !== undefined;
      const texts = { name, resource_address, provider, type, module };
      list.push({ page: page.page, position, ...texts, change, isMoved });
    }
  }
  return rows;
}

/** Why the uploaded pages are not all that the marker commits; null: they are. */
function describeMissingParts(
  marker: CountsMarker,
  pages: readonly UploadedPage[],
  rows: UploadedRows,
): string | null {
  const gap = findFirstGap(pages);
  if (gap !== null) {
    const of = gap.change === "" ? gap.category : `the ${gap.change} elements of ${gap.category}`;
    return `page ${gap.page} of ${of} has not been uploaded`;
  }
  const found = [...findMarkerContradictions(marker, rows), ...findRepeatedContradictions(pages, rows)];
  if (found.length === 0) return null;
  return `the counts contradict the uploaded pages: ${found.join("; ")}. Upload the pages that are missing, or the counts of those that came`;
}

/** The first page that is missing between page 1 and the last one of a category, or of a change type of it. */
function findFirstGap(
  pages: readonly UploadedPage[],
): Pick<UploadedPage, "category" | "change" | "page"> | null {
  for (const [index, { category, change, page }] of pages.entries()) {
    const before = pages[index - 1];
    const isNext = before?.category === category && before.change === change;
    const expected = isNext ? before.page + 1 : 1;
    if (page !== expected) return { category, change, page: expected };
  }
  return null;
}

function countRows(rows: UploadedRows, category: Category, change?: ChangeType): number {
  const all = rows.get(category) ?? [];
  return change === undefined ? all.length : all.filter((row) => row.change === change).length;
}

/**
 * Totals of a counts marker that differ from the uploaded rows, as texts with both numbers. Unchanged resources have a category
 * of their own; the documents do not state whether the planned totals include it, so both are accepted.
 */
function findMarkerContradictions(marker: CountsMarker, rows: UploadedRows): readonly string[] {
  const { PlannedTotal, PlannedByChangeType: planned, Drift, Resources, DataSources, Outputs } = marker;
  const unchanged = countRows(rows, "unchanged");
  const compare = (name: string, stated: number, found: number, perhaps = 0): readonly string[] => {
    if (stated === found || stated === found + perhaps) return [];
    const others = perhaps === 0 ? "" : ` (${found + perhaps} with the category unchanged)`;
    return [`${name} is ${stated}, uploaded are ${found}${others}`];
  };
  const compareType = (change: keyof typeof planned, perhaps = 0): readonly string[] =>
    compare(
      `PlannedByChangeType.${change}`,
      planned[change],
      countRows(rows, "planned_changes", change),
      perhaps,
    );
  return [
    ...compare("PlannedTotal", PlannedTotal, countRows(rows, "planned_changes"), unchanged),
    ...compareType("added"),
    ...compareType("changed"),
    ...compareType("deleted"),
    ...compareType("unchanged", unchanged),
    ...compare("Drift", Drift, countRows(rows, "drift_changes")),
    ...compare("Resources", Resources, countRows(rows, "resources")),
    ...compare("DataSources", DataSources, countRows(rows, "data_sources")),
    ...compare("Outputs", Outputs, countRows(rows, "outputs")),
  ];
}

/** Rows that were uploaded twice with different numbers. */
function findRepeatedContradictions(pages: readonly UploadedPage[], rows: UploadedRows): readonly string[] {
  return BY_CHANGE_TYPE.flatMap((category) =>
    CHANGE_TYPES.flatMap((change) => {
      const own = pages.filter((page) => page.category === category && page.change === change);
      const repeated = own.reduce((sum, { elements }) => sum + elements, 0);
      const whole = countRows(rows, category, change);
      return own.length === 0 || repeated === whole
        ? []
        : [
            `${category} has ${whole} ${change} elements in its own pages and ${repeated} in those of that type`,
          ];
    }),
  );
}
