import type { Kysely } from "kysely";
import type { executions } from "../../platform/contract/registry.ts";
import { CHANGE_TYPES } from "../../platform/contract/shapes/change-snapshot.ts";
import type { Area } from "../area/area.ts";
import { addAccount } from "../area/keys.ts";
import { createProblem } from "../area/problem.ts";
import type { ExecutionTables } from "../executions/store/tables.ts";
import { findPlaces, type RowsKey, readDetail, readRows } from "./read-rows.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";
import { countFacets, type FoundRow, findRows, isOpen, type RowFilter } from "./snapshot-index.ts";
import { listMovedPlaces } from "./store/rows.ts";
import { countRows } from "./store/runs.ts";
import { findCommitted } from "./store/snapshots.ts";
import type { ChangeTables } from "./store/tables.ts";

interface ChangeReader {
  readonly db: Kysely<ChangeTables>;
  readonly indexes: SnapshotCache;
}

const createNotIndexedProblem = () =>
  createProblem("not_found", "the resource changes of this stage are not indexed, or past retention");
const COUNTED_CATEGORIES = ["drift_changes", "outputs", "planned_changes", "resources"] as const;

/** The attributes of one row. */
const detailHandlers: Area<Pick<typeof executions, "getChangeRow">, ChangeTables & ExecutionTables> = {
  getChangeRow: async ({ params }, context) => {
    const { category, ordinal, ...rest } = params;
    const snapshot = await findCommitted(context.db, addAccount(context, rest));
    if (snapshot === null) return createNotIndexedProblem();
    const { account, snapshot_id, details_until_ms } = snapshot;
    const key = { account, snapshot_id, category };
    const [place] = await findPlaces(context.db, key, { from: ordinal, to: ordinal + 1 });
    if (place === undefined) return createProblem("not_found", "there is no row with this ordinal");
    const isRetained = context.clock.now() < (details_until_ms ?? 0);
    const detail = isRetained ? await readDetail(context.db, key, place) : null;
    const [row] = await readRows(context.db, key, [place]);
    if (detail === null || row === undefined)
      return createProblem("not_found", "the attribute data of this row is past retention");
    return { body: { ...row, ...detail } };
  },
};

/**
 * Handlers that read committed resource changes: rows, one row's attributes, and counts per filter value
 * (provisioning 4.2, read rules).
 */
export const createReadHandlers = (
  indexes: SnapshotCache,
): Area<
  Pick<typeof executions, "listChangeRows" | "getChangeRow" | "countChangeFilters">,
  ChangeTables & ExecutionTables
> => ({
  listChangeRows: async ({ params, query }, context) => {
    const { category, ...rest } = params;
    const snapshot = await findCommitted(context.db, addAccount(context, rest));
    if (snapshot === null) return createNotIndexedProblem();
    const { account, snapshot_id } = snapshot;
    const key = { account, snapshot_id, category };
    const { page, page_size } = query;
    const found = await findPage({ db: context.db, indexes }, key, {
      ...query,
      offset: (page - 1) * page_size,
      limit: page_size,
    });
    return {
      body: {
        page,
        pageSize: page_size,
        rows: await readRows(context.db, key, found.rows),
        totalItems: found.total,
        totalPages: Math.ceil(found.total / page_size),
      },
    };
  },

  ...detailHandlers,

  countChangeFilters: async ({ params, query }, context) => {
    const snapshot = await findCommitted(context.db, addAccount(context, params));
    if (snapshot === null) return createNotIndexedProblem();
    const counts = countFacets(await indexes.get(snapshot), query);
    const { account, snapshot_id } = snapshot;
    const moved = await listMovedPlaces(context.db, { account, snapshot_id, category: "planned_changes" });
    return {
      body: {
        ...(moved.length === 0 ? {} : { moved: moved.length }),
        categories: nameCounts(COUNTED_CATEGORIES, counts.category),
        change_types: nameCounts(CHANGE_TYPES, counts.change),
        modules: counts.module,
        providers: counts.provider,
        types: counts.type,
      },
    };
  },
});

/** Without filters a page is a range of ordinals and needs no index. */
async function findPage(
  { db, indexes }: ChangeReader,
  key: RowsKey,
  query: RowFilter & {
    readonly offset: number;
    readonly limit: number;
    readonly moved?: boolean | undefined;
  },
): Promise<{ total: number; rows: FoundRow[] }> {
  if (query.moved === true) return findMoved({ db, indexes }, key, query);
  if (!isOpen(query)) return findRows(await indexes.get(key), key.category, query);
  const total = await countRows(db, key);
  const range = { from: query.offset, to: query.offset + query.limit };
  return { total, rows: range.from < total ? await findPlaces(db, key, range) : [] };
}

/** Few resources are moved, so all of them are looked at. */
async function findMoved(
  { db, indexes }: ChangeReader,
  key: RowsKey,
  query: RowFilter & { readonly offset: number; readonly limit: number },
): Promise<{ total: number; rows: FoundRow[] }> {
  const moved = await listMovedPlaces(db, key);
  const everywhere = { ...query, offset: 0, limit: Number.MAX_SAFE_INTEGER };
  const found = isOpen(query) ? null : findRows(await indexes.get(key), key.category, everywhere).rows;
  const ordinals = found === null ? null : new Set(found.map(({ ordinal }) => ordinal));
  const rows = moved.filter(({ ordinal }) => ordinals === null || ordinals.has(ordinal));
  return { total: rows.length, rows: rows.slice(query.offset, query.offset + query.limit) };
}

/** A count for each of the names, zero where nothing was found. */
const nameCounts = <const Name extends string>(
  names: readonly Name[],
  counts: Readonly<Record<string, number>>,
): Record<Name, number> =>
  // One entry for each name is what the type says.
  Object.fromEntries(names.map((name) => [name, counts[name] ?? 0])) as Record<Name, number>;
