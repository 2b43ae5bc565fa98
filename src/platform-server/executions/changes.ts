import type { executions } from "../../platform/contract/registry.ts";
import { CHANGE_TYPES } from "../../platform/contract/shapes/change-snapshot.ts";
import { movedPlaces } from "../../store/platform/rows.ts";
import { countRows } from "../../store/platform/runs.ts";
import { findCommitted } from "../../store/platform/snapshots.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { problem } from "../area/problem.ts";
import { placesOf, type ReadKey, readDetail, readRows } from "../changes/read-rows.ts";
import { countFacets, type FoundRow, findRows, isOpen, type RowFilter } from "../changes/snapshot-index.ts";
import { stageIn } from "./stage.ts";

const notIndexed = () => problem("not_found", "the resource changes of this stage are not indexed");
const COUNTED_CATEGORIES = ["drift_changes", "outputs", "planned_changes", "resources"] as const;

/** Reading committed resource changes: rows, one row's attributes, and counts per filter value (provisioning 4.2, read rules). */
export const changeHandlers: Area<
  Pick<typeof executions, "listChangeRows" | "getChangeRow" | "countChangeFilters">
> = {
  listChangeRows: async ({ params, query }, context) => {
    const { category, ...rest } = params;
    const snapshot = await findCommitted(context.db, stageIn(context, rest));
    if (snapshot === null) return notIndexed();
    const { account, snapshot_id } = snapshot;
    const key = { account, snapshot_id, category };
    const { page, page_size } = query;
    const found = await findPage(context, key, {
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

  getChangeRow: async ({ params }, context) => {
    const { category, ordinal, ...rest } = params;
    const snapshot = await findCommitted(context.db, stageIn(context, rest));
    if (snapshot === null) return notIndexed();
    const { account, snapshot_id, details_until_ms } = snapshot;
    const key = { account, snapshot_id, category };
    const [place] = await placesOf(context.db, key, { from: ordinal, to: ordinal + 1 });
    if (place === undefined) return problem("not_found", "there is no row with this ordinal");
    const kept = context.clock.now() < (details_until_ms ?? 0);
    const detail = kept ? await readDetail(context.db, key, place) : null;
    const [row] = await readRows(context.db, key, [place]);
    if (detail === null || row === undefined)
      return problem("not_found", "the attribute data of this row is past retention");
    return { body: { ...row, ...detail } };
  },

  countChangeFilters: async ({ params, query }, context) => {
    const snapshot = await findCommitted(context.db, stageIn(context, params));
    if (snapshot === null) return notIndexed();
    const counts = countFacets(await context.indexes.get(snapshot), query);
    const { account, snapshot_id } = snapshot;
    const moved = await movedPlaces(context.db, { account, snapshot_id, category: "planned_changes" });
    return {
      body: {
        ...(moved.length === 0 ? {} : { moved: moved.length }),
        categories: named(COUNTED_CATEGORIES, counts.category),
        change_types: named(CHANGE_TYPES, counts.change),
        modules: counts.module,
        providers: counts.provider,
        types: counts.type,
      },
    };
  },
};

/** Without filters a page is a range of ordinals and needs no index. */
async function findPage(
  { db, indexes }: Context,
  key: ReadKey,
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
  return { total, rows: range.from < total ? await placesOf(db, key, range) : [] };
}

/** Few resources are moved, so all of them are looked at. */
async function findMoved(
  { db, indexes }: Pick<Context, "db" | "indexes">,
  key: ReadKey,
  query: RowFilter & { readonly offset: number; readonly limit: number },
): Promise<{ total: number; rows: FoundRow[] }> {
  const moved = await movedPlaces(db, key);
  const everywhere = { ...query, offset: 0, limit: Number.MAX_SAFE_INTEGER };
  const found = isOpen(query) ? null : findRows(await indexes.get(key), key.category, everywhere).rows;
  const ordinals = found === null ? null : new Set(found.map(({ ordinal }) => ordinal));
  const rows = moved.filter(({ ordinal }) => ordinals === null || ordinals.has(ordinal));
  return { total: rows.length, rows: rows.slice(query.offset, query.offset + query.limit) };
}

/** A count for each of the names, zero where nothing was found. */
const named = <const Name extends string>(
  names: readonly Name[],
  counts: Readonly<Record<string, number>>,
): Record<Name, number> =>
  // One entry for each name is what the type says.
  Object.fromEntries(names.map((name) => [name, counts[name] ?? 0])) as Record<Name, number>;
