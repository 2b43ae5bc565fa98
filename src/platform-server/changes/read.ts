import { LRUCache } from "lru-cache";
import {
  type Category,
  CHANGE_TYPES,
  CountsMarker,
  type resourceChanges,
} from "../../platform/contract/resource-changes.ts";
import { has } from "../../store/database/statements.ts";
import type { Area } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { listStages } from "../executions/stages.ts";
import { pickSnapshotKey, type SnapshotKey, type StageKey } from "../tables/keys.ts";
import type { Db } from "../tables/tables.ts";
import { readDetail, readRows, type WireRow } from "./rows.ts";
import {
  type CategoryIndex,
  countFacets,
  createEmptyIndex,
  findRows,
  readIndex,
  removeRepeatedRows,
} from "./snapshot-index.ts";
import { findCommitted, refuseNotIndexed } from "./snapshots.ts";

/** In bytes: about three snapshots of 100,000 rows. */
const CACHE_BYTES = 48_000_000;
const COUNTED_CATEGORIES = ["drift_changes", "outputs", "planned_changes", "resources"] as const;
/** More rows are for the paged reads. */
const MAX_LISTED = 20_000;
const STATE: readonly Category[] = ["resources", "data_sources", "outputs"];

export interface SnapshotIndexes {
  get(key: SnapshotKey): Promise<readonly CategoryIndex[]>;
}

export function createSnapshotIndexes(db: Db): SnapshotIndexes {
  const cache = new LRUCache<number, readonly CategoryIndex[], SnapshotKey>({
    maxSize: CACHE_BYTES,
    // One that is too large for the cache stays until the next one comes.
    sizeCalculation: (indexes) =>
      Math.min(
        CACHE_BYTES,
        indexes.reduce(
          (sum, { search, facetOf, facets }) =>
            sum + search.length + 16 * facetOf.length + 200 * facets.length,
          1,
        ),
      ),
    fetchMethod: async (_, __, { context }) => {
      const texts = await db
        .selectFrom("platform_indexes")
        .select(["category", "places", "search"])
        .where(has(pickSnapshotKey(context)))
        .execute();
      return texts.map(readIndex);
    },
    ignoreFetchAbort: true,
  });
  return { get: (key) => cache.forceFetch(key.snapshot_id, { context: key }) };
}

const findIndex = (indexes: readonly CategoryIndex[], category: Category): CategoryIndex =>
  indexes.find((index) => index.category === category) ?? createEmptyIndex(category);

/**
 * Handlers that read committed resource changes: rows, one row's attributes, counts per filter value (provisioning 4.2, read rules),
 * and all rows of a stage at once. Only committed snapshots are read, so that an incomplete upload is never taken for a complete one.
 */
export const createReadHandlers = (
  indexes: SnapshotIndexes,
): Area<Omit<typeof resourceChanges, "uploadChangePage" | "uploadChangeCounts">> => ({
  listChangeRows: async ({ params: { category, ...stage }, query }, { db, account }) => {
    const { snapshot, all } = await readIndexes(indexes, db, { account, ...stage });
    const index = findIndex(all, category);
    const { page, page_size: pageSize } = query;
    const { total, ordinals } = findRows(index, {
      ...query,
      offset: (page - 1) * pageSize,
      limit: pageSize,
    });
    const rows = await readRows(db, snapshot, index, ordinals);
    return { body: { page, pageSize, rows, totalItems: total, totalPages: Math.ceil(total / pageSize) } };
  },

  getChangeRow: async ({ params: { category, ordinal, ...stage } }, { db, account, clock }) => {
    const { snapshot, all } = await readIndexes(indexes, db, { account, ...stage });
    const index = findIndex(all, category);
    if (index.pages[ordinal] === undefined) refuse("not_found", "there is no row with this ordinal");
    const isRetained = clock.now() < (snapshot.details_until_ms ?? 0);
    const detail = isRetained ? await readDetail(db, snapshot, index, ordinal) : null;
    const [row] = await readRows(db, snapshot, index, [ordinal]);
    if (detail === null || row === undefined)
      refuse("not_found", "the attribute data of this row is past retention");
    return { body: { ...row, ...detail } };
  },

  countChangeFilters: async ({ params, query }, { db, account }) => {
    const { all } = await readIndexes(indexes, db, { account, ...params });
    const { category = [] } = query;
    const isWhole = category.length === 0 || category.includes("planned_changes");
    const counts = countFacets(isWhole ? removeRepeatedRows(all) : all, query);
    const moved = findIndex(all, "planned_changes").moved.length;
    return {
      body: {
        ...(moved === 0 ? {} : { moved }),
        categories: nameCounts(COUNTED_CATEGORIES, counts.category),
        change_types: nameCounts(CHANGE_TYPES, counts.change),
        modules: counts.module,
        providers: counts.provider,
        types: counts.type,
      },
    };
  },

  listChanges: async ({ params, query }, { db, account }) => {
    const stages = await listStages(db, { account, ...params });
    const wanted = stages.filter(({ pipeline_stage_id: id }) => ["", id].includes(query.pipeline_stage_id));
    const committed = await Promise.all(
      wanted.map(async (stage) => ({ stage, snapshot: await findCommitted(db, stage) })),
    );
    const [only, ...others] = committed.filter(({ snapshot }) => snapshot !== null);
    if (others.length > 0)
      refuse("bad_request", "several stages have resource changes: name one with pipeline_stage_id");
    const snapshot = only?.snapshot ?? refuse("not_found", "there are no resource changes");
    const listed = removeRepeatedRows(await indexes.get(snapshot)).filter(
      ({ category }) => !query.exclude_state || !STATE.includes(category),
    );
    if (listed.reduce((sum, { pages }) => sum + pages.length, 0) > MAX_LISTED)
      refuse("bad_request", `there are more than ${MAX_LISTED} rows: read them in pages`);
    const readList = async (category: Category): Promise<WireRow[]> => {
      const index = findIndex(listed, category);
      return readRows(db, snapshot, index, [...index.pages.keys()]);
    };
    return {
      body: {
        pipeline_execution: snapshot.pipeline_execution_id,
        pipeline_stage: snapshot.pipeline_stage_id,
        workspace_id: only?.stage.workspace,
        planned_changes: [...(await readList("planned_changes")), ...(await readList("unchanged"))],
        drift_changes: await readList("drift_changes"),
        resources: await readList("resources"),
        data_sources: await readList("data_sources"),
        outputs: await readList("outputs"),
      },
    };
  },

  readChangeCounts: async ({ params, query }, { db, account }) => {
    const snapshot = await findCommitted(db, { account, ...params, ...query });
    // Checked when it was uploaded.
    const counts = CountsMarker.safeParse(JSON.parse(snapshot?.counts ?? "null"));
    return { body: counts.data ?? refuse("not_found", "there are no resource changes") };
  },
});

async function readIndexes(indexes: SnapshotIndexes, db: Db, stage: StageKey) {
  const snapshot = (await findCommitted(db, stage)) ?? refuseNotIndexed();
  return { snapshot, all: await indexes.get(snapshot) };
}

/** A count for each of the names, zero where nothing was found. */
const nameCounts = <const Name extends string>(
  names: readonly Name[],
  counts: Readonly<Record<string, number>>,
): Record<Name, number> =>
  // One entry for each name is what the type says.
  Object.fromEntries(names.map((name) => [name, counts[name] ?? 0])) as Record<Name, number>;
