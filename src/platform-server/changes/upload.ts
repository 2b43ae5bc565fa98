import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { DAY_MS } from "../../kernel/clock.ts";
import { JsonBounds } from "../../kernel/json-bounds.ts";
import { parseJsonBytes } from "../../kernel/parse-json.ts";
import { shorten } from "../../kernel/shorten.ts";
import { copyUnstorable, toStorableText } from "../../kernel/storable.ts";
import {
  type Category,
  CHANGE_TYPES,
  type ChangeType,
  CountsMarker,
  PAGE_ELEMENTS,
  type resourceChanges,
} from "../../platform/contract/resource-changes.ts";
import { explain, parseBounded } from "../../platform/contract/wire/request-checks.ts";
import { has, upsert } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area, Context } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { MAX_NESTING, TOO_MANY_VALUES, TOO_NESTED } from "../area/value-limits.ts";
import { checkExecution } from "../executions/commits.ts";
import { readStage } from "../executions/stages.ts";
import { isPushDisabled } from "../settings/push-disabled.ts";
import { pickSnapshotKey, type SnapshotKey, type StageKey } from "../tables/keys.ts";
import type { Db } from "../tables/tables.ts";
import { type AnyElement, getOutputValue, toDetail, withhold } from "./element-detail.ts";
import type { SnapshotIndexes } from "./read.ts";
import { type NewRow, readPage, replaceRows, type StoredRow } from "./rows.ts";
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
  const { no_changes_by } = await readStage(context.db, stage);
  if (no_changes_by !== null)
    refuse("conflict", "it is stated that this stage has nothing to plan, which is final");
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

/** Largest number of elements of a page, so that storing one does not take too long; uploaders can split pages. */
const MAX_ELEMENTS = 20_000;
/** Lists, objects and members of a page together; a page of the largest size has about a fifth. */
const MAX_VALUES = 600_000;
/** Elements that are read between two turns of the event loop. */
const AT_ONCE = 500;

/**
 * Parses a page's body: a JSON array whose elements match the category. With `change`, every element must
 * have that change type. The refusal names the first invalid element. @throws Refusal
 */
async function parsePage(
  category: Category,
  change: ChangeType | undefined,
  body: Uint8Array,
): Promise<readonly NewRow[]> {
  // The page's own list is a level beside those of an element.
  const exceeded = new JsonBounds({ depth: MAX_NESTING + 1, values: MAX_VALUES }).read(body);
  if (exceeded === "values") refuse("bad_request", `the page ${TOO_MANY_VALUES}`);
  if (exceeded === "depth") refuse("bad_request", `an element of the page ${TOO_NESTED}`);
  const elements = parseJsonBytes(body);
  if (elements === undefined) refuse("bad_request", "the page is not JSON in UTF-8");
  if (!Array.isArray(elements)) refuse("bad_request", "the page is not a JSON array");
  if (elements.length > MAX_ELEMENTS)
    refuse("bad_request", `the page has more than ${MAX_ELEMENTS} elements`);
  const rows: NewRow[] = [];
  for (const [index, raw] of elements.entries()) {
    if (index % AT_ONCE === 0) await setImmediate();
    const row = readElement(category, change, raw);
    if (typeof row === "string") refuse("bad_request", `element ${index} of the page: ${shorten(row, 500)}`);
    rows.push(row);
  }
  return rows;
}

/** What is wrong with it, when it is not of the category's kind. */
function readElement(category: Category, change: ChangeType | undefined, raw: unknown): NewRow | string {
  const parsed = parseBounded<AnyElement>(PAGE_ELEMENTS[category], raw);
  if (!parsed.success) return explain("", parsed.error).join("; ");
  const element: AnyElement = parsed.data;
  if (change !== undefined && element.change !== change)
    return `a page of ${change} elements holds another change type`;
  const detail = withhold(toDetail(element));
  const detail_bytes = Buffer.byteLength(JSON.stringify(detail));
  return { row: toRow(category, element, detail_bytes), detail };
}

function toRow(category: Category, element: AnyElement, detail_bytes: number): StoredRow {
  const changes =
    element.change === undefined
      ? {}
      : { change: element.change, change_count: element.change_count ?? countChangedAttributes(element) };
  const common = {
    category,
    name: toStorableText(element.name),
    resource_address: toStorableText(element.resource_address ?? formatAddress(category, element)),
    detail_bytes,
    drift: category === "drift_changes",
    ...changes,
  };
  if (category === "outputs")
    return { ...common, sensitive: element.sensitive ?? false, value: getOutputValue(element) };
  const {
    provider = "",
    type = "",
    module = "",
    previous_address,
    action_reason,
    tags,
    resource_id,
  } = element;
  return {
    ...common,
    provider: toStorableText(provider),
    type: toStorableText(type),
    module: toStorableText(module),
    mode: toStorableText(element.mode ?? (category === "data_sources" ? "data" : "managed")),
    ...(previous_address === undefined ? {} : { previous_address: toStorableText(previous_address) }),
    ...(action_reason === undefined ? {} : { action_reason: toStorableText(action_reason) }),
    ...(tags === undefined ? {} : { tags: typeof tags === "string" ? tags : copyUnstorable(tags) }),
    ...(resource_id === undefined ? {} : { resource_id: toStorableText(resource_id) }),
  };
}

/** The address of an element that does not state one: module path, type and name. */
function formatAddress(category: Category, { module = "", type, name, mode }: AnyElement): string {
  if (category === "outputs") return name;
  const data = mode === "data" || (mode === undefined && category === "data_sources") ? "data." : "";
  const inRoot = module === "" || module === "root";
  const path = inRoot ? "" : `${module.startsWith("module.") ? "" : "module."}${module}.`;
  return `${path}${data}${type ?? ""}.${name}`;
}

const countChangedAttributes = ({ changes }: AnyElement): number =>
  Object.values(changes ?? {}).filter(({ change }) => change !== "unchanged").length;
