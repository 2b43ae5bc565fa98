import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import type { executions, ours } from "../../platform/contract/registry.ts";
import { type Category, CHANGE_TYPES, CountsMarker } from "../../platform/contract/resource-changes.ts";
import type { Area } from "../area/area.ts";
import { addAccount, type SnapshotKey } from "../area/keys.ts";
import { createProblem } from "../area/problem.ts";
import { listStages } from "../executions/store/executions.ts";
import type { ExecutionTables } from "../executions/store/tables.ts";
import {
  type CategoryIndex,
  countFacets,
  createEmptyIndex,
  findRows,
  readIndex,
  removeRepeatedRows,
} from "./snapshot-index.ts";
import { readDetail, readRows, type WireRow } from "./store/rows.ts";
import { findCommitted, readIndexTexts } from "./store/snapshots.ts";
import type { ChangeTables } from "./store/tables.ts";

/** In bytes: about three snapshots of 100,000 rows. */
const CACHE_BYTES = 48_000_000;
const COUNTED_CATEGORIES = ["drift_changes", "outputs", "planned_changes", "resources"] as const;
/** More rows are for the paged reads. */
const MAX_LISTED = 20_000;
const STATE: readonly Category[] = ["resources", "data_sources", "outputs"];

/** The indexes of recently requested snapshots. */
export interface SnapshotIndexes {
  get(key: SnapshotKey): Promise<readonly CategoryIndex[]>;
}

export function createSnapshotIndexes(db: Kysely<ChangeTables>): SnapshotIndexes {
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
    fetchMethod: async (_, __, { context }) => (await readIndexTexts(db, context)).map(readIndex),
    ignoreFetchAbort: true,
  });
  return { get: (key) => cache.forceFetch(key.snapshot_id, { context: key }) };
}

const findIndex = (indexes: readonly CategoryIndex[], category: Category): CategoryIndex =>
  indexes.find((index) => index.category === category) ?? createEmptyIndex(category);

export const createNotIndexedProblem = () =>
  createProblem("not_found", "the resource changes of this stage are not indexed, or past retention");

/**
 * Handlers that read committed resource changes: rows, one row's attributes, counts per filter value (provisioning 4.2, read rules),
 * and all rows of a stage at once. Only committed snapshots are read, so that an incomplete upload is never taken for a complete one.
 */
export const createReadHandlers = (
  indexes: SnapshotIndexes,
): Area<
  Pick<typeof executions, "listChangeRows" | "getChangeRow" | "countChangeFilters"> &
    Pick<typeof ours, "listChanges" | "readChangeCounts">,
  ChangeTables & ExecutionTables
> => ({
  listChangeRows: async ({ params, query }, context) => {
    const { category, ...rest } = params;
    const snapshot = await findCommitted(context.db, addAccount(context, rest));
    if (snapshot === null) return createNotIndexedProblem();
    const index = findIndex(await indexes.get(snapshot), category);
    const { page, page_size } = query;
    const { total, ordinals } = findRows(index, {
      ...query,
      offset: (page - 1) * page_size,
      limit: page_size,
    });
    return {
      body: {
        page,
        pageSize: page_size,
        rows: await readRows(context.db, snapshot, index, ordinals),
        totalItems: total,
        totalPages: Math.ceil(total / page_size),
      },
    };
  },

  getChangeRow: async ({ params }, context) => {
    const { category, ordinal, ...rest } = params;
    const snapshot = await findCommitted(context.db, addAccount(context, rest));
    if (snapshot === null) return createNotIndexedProblem();
    const index = findIndex(await indexes.get(snapshot), category);
    if (index.pages[ordinal] === undefined)
      return createProblem("not_found", "there is no row with this ordinal");
    const isRetained = context.clock.now() < (snapshot.details_until_ms ?? 0);
    const detail = isRetained ? await readDetail(context.db, snapshot, index, ordinal) : null;
    const [row] = await readRows(context.db, snapshot, index, [ordinal]);
    if (detail === null || row === undefined)
      return createProblem("not_found", "the attribute data of this row is past retention");
    return { body: { ...row, ...detail } };
  },

  countChangeFilters: async ({ params, query }, context) => {
    const snapshot = await findCommitted(context.db, addAccount(context, params));
    if (snapshot === null) return createNotIndexedProblem();
    const all = await indexes.get(snapshot);
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

  listChanges: async ({ params, query }, context) => {
    const { db } = context;
    const stages = await listStages(db, addAccount(context, params));
    const wanted = stages.filter(({ pipeline_stage_id: id }) => ["", id].includes(query.pipeline_stage_id));
    const found = await Promise.all(
      wanted.map(async (stage) => ({ stage, snapshot: await findCommitted(db, stage) })),
    );
    const committed = found.flatMap(({ stage, snapshot }) =>
      snapshot === null ? [] : [{ stage, snapshot }],
    );
    const [only, ...others] = committed;
    if (only === undefined) return createProblem("not_found", "there are no resource changes");
    if (others.length > 0)
      return createProblem(
        "bad_request",
        "several stages have resource changes: name one with pipeline_stage_id",
      );
    const { stage, snapshot } = only;
    const all = await indexes.get(snapshot);
    const listed = removeRepeatedRows(all).filter(
      ({ category }) => !query.exclude_state || !STATE.includes(category),
    );
    if (listed.reduce((sum, { pages }) => sum + pages.length, 0) > MAX_LISTED)
      return createProblem("bad_request", `there are more than ${MAX_LISTED} rows: read them in pages`);
    const readList = async (category: Category): Promise<WireRow[]> => {
      const index = findIndex(listed, category);
      return readRows(db, snapshot, index, [...index.pages.keys()]);
    };
    return {
      body: {
        pipeline_execution: snapshot.pipeline_execution_id,
        pipeline_stage: snapshot.pipeline_stage_id,
        workspace_id: stage.workspace,
        planned_changes: [...(await readList("planned_changes")), ...(await readList("unchanged"))],
        drift_changes: await readList("drift_changes"),
        resources: await readList("resources"),
        data_sources: await readList("data_sources"),
        outputs: await readList("outputs"),
      },
    };
  },

  readChangeCounts: async ({ params, query }, context) => {
    const stage = addAccount(context, { ...params, ...query });
    const snapshot = await findCommitted(context.db, stage);
    // Checked when it was uploaded.
    const counts = CountsMarker.safeParse(JSON.parse(snapshot?.counts ?? "null"));
    return counts.success
      ? { body: counts.data }
      : createProblem("not_found", "there are no resource changes");
  },
});

/** A count for each of the names, zero where nothing was found. */
const nameCounts = <const Name extends string>(
  names: readonly Name[],
  counts: Readonly<Record<string, number>>,
): Record<Name, number> =>
  // One entry for each name is what the type says.
  Object.fromEntries(names.map((name) => [name, counts[name] ?? 0])) as Record<Name, number>;
