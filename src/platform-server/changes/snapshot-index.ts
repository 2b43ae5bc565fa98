import { z } from "zod";
import { foldCase } from "../area/fold-case.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { Facet } from "./store/facets.ts";
import type { RowPlace } from "./store/rows.ts";

/** The rows of one run: one line per row in `search`, and the facet of each row. */
export interface IndexedRun {
  readonly category: string;
  readonly run: number;
  readonly firstOrdinal: number;
  readonly search: string;
  /** Start of each row's line in `search`, in characters. */
  readonly lineStarts: Uint32Array;
  readonly facets: Uint32Array;
}

/** The filterable data of a committed snapshot. It never changes, so it can be cached. */
export interface SnapshotIndex {
  /** By number, without gaps. */
  readonly facets: readonly Facet[];
  /** By category, then in stored order. */
  readonly runs: readonly IndexedRun[];
  /** Estimated size in bytes. */
  readonly weight: number;
}

/** A filter for rows. Absent and empty lists match everything; values within a list are alternatives. */
export interface RowFilter {
  readonly provider?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly module?: readonly string[] | undefined;
  /** Part of an address or a name, case-insensitive; no character has a special meaning. */
  readonly search?: string | undefined;
}

export type FacetFilter = RowFilter & { readonly category?: readonly string[] | undefined };

/** What can be filtered by; a row's change type is counted but no filter. */
const DIMENSIONS = ["category", "provider", "type", "module"] as const;
type Dimension = (typeof DIMENSIONS)[number];

/** Number of rows per value; values without rows are omitted. */
export type FilterCounts = Readonly<Record<Dimension | "change", Record<string, number>>>;

export type FoundRow = RowPlace & { readonly ordinal: number };

/** Facet numbers of a run's rows, as `saveUploadedPage` stores them. */
const parseFacets = createStoredJsonParser("facets of a run of resource changes", z.array(z.uint32()));

export function buildIndexedRun(row: {
  category: string;
  run: number;
  first_ordinal: number;
  search: string;
  facets: string;
}): IndexedRun {
  const facets = Uint32Array.from(parseFacets(row.facets));
  const lineStarts = new Uint32Array(facets.length);
  let start = 0;
  for (let line = 1; line < facets.length; line++) {
    start = row.search.indexOf("\n", start) + 1;
    lineStarts[line] = start;
  }
  const { category, run, first_ordinal, search } = row;
  return { category, run, firstOrdinal: first_ordinal, search, lineStarts, facets };
}

/**
 * Returns the number of rows of one category that match the filter, and `limit` of them from `offset` on, in
 * stored order.
 */
export function findRows(
  index: SnapshotIndex,
  category: string,
  query: RowFilter & { readonly offset: number; readonly limit: number },
): { total: number; rows: FoundRow[] } {
  const wanted = markWantedFacets(index, query);
  const end = query.offset + query.limit;
  const rows: FoundRow[] = [];
  let total = 0;
  for (const run of index.runs) {
    if (run.category !== category) continue;
    forEachMatch(run, foldCase(query.search ?? ""), (position, facet) => {
      if (wanted[facet] !== 1) return;
      if (total >= query.offset && total < end)
        rows.push({ run: run.run, position, ordinal: run.firstOrdinal + position });
      total++;
    });
  }
  return { total, rows };
}

/**
 * Counts the rows of each dimension under the filters of the other dimensions; `search` applies to all of
 * them.
 */
export function countFacets(index: SnapshotIndex, filter: FacetFilter): FilterCounts {
  const hits = countHitsPerFacet(index, foldCase(filter.search ?? ""));
  const passes = createPassTests(filter);
  const counts = {
    category: createTally(),
    provider: createTally(),
    type: createTally(),
    module: createTally(),
    change: createTally(),
  };
  for (const facet of index.facets) {
    const count = hits[facet.facet] ?? 0;
    for (const dimension of listCountedDimensions(facet, passes))
      add(counts[dimension], facet[dimension], count);
  }
  return counts;
}

const EVERYWHERE = [...DIMENSIONS, "change"] as const;

/** A row that passes every filter counts everywhere; one that fails a single filter counts in that filter's own dimension. */
function listCountedDimensions(facet: Facet, passes: Passes): readonly (Dimension | "change")[] {
  const failed = DIMENSIONS.filter((dimension) => !passes[dimension](facet[dimension]));
  if (failed.length === 0) return EVERYWHERE;
  return failed.length === 1 ? failed : [];
}

type Passes = Readonly<Record<Dimension, (value: string) => boolean>>;

function createPassTests(filter: FacetFilter): Passes {
  const passer = (allowed: readonly string[] = []) => {
    if (allowed.length === 0) return () => true;
    const values = new Set(allowed);
    return (value: string) => values.has(value);
  };
  return {
    category: passer(filter.category),
    provider: passer(filter.provider),
    type: passer(filter.type),
    module: passer(filter.module),
  };
}

/** Whether a filter matches every row. */
export const isOpen = ({ provider = [], type = [], module = [], search = "" }: RowFilter): boolean =>
  provider.length + type.length + module.length === 0 && search === "";

/** 1 for each facet whose provider, type and module pass. */
function markWantedFacets(index: SnapshotIndex, filter: RowFilter): Uint8Array {
  const passes = createPassTests({ ...filter, category: [] });
  const wanted = new Uint8Array(index.facets.length);
  for (const facet of index.facets)
    wanted[facet.facet] = Number(DIMENSIONS.every((dimension) => passes[dimension](facet[dimension])));
  return wanted;
}

function countHitsPerFacet(index: SnapshotIndex, term: string): Uint32Array {
  const hits = new Uint32Array(index.facets.length);
  for (const run of index.runs)
    forEachMatch(run, term, (_, facet) => {
      hits[facet] = (hits[facet] ?? 0) + 1;
    });
  return hits;
}

/** Visits the rows whose line holds the (folded) term, in stored order; every row when it is empty. */
function forEachMatch(run: IndexedRun, term: string, visit: (position: number, facet: number) => void): void {
  if (term === "") {
    for (let position = 0; position < run.facets.length; position++)
      visit(position, run.facets[position] ?? 0);
    return;
  }
  let position = 0;
  for (let at = run.search.indexOf(term); at >= 0; ) {
    position = findLine(run.lineStarts, at, position);
    visit(position, run.facets[position] ?? 0);
    const next = run.lineStarts[position + 1];
    at = next === undefined ? -1 : run.search.indexOf(term, next);
  }
}

/** The line that holds character `at`: the last one that starts at or before it. `from` is a line known not to be after it. */
function findLine(starts: Uint32Array, at: number, from: number): number {
  let low = from;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Names come from outside: without a prototype, "__proto__" and "constructor" are keys like any other. */
const createTally = (): Record<string, number> => Object.create(null);

const add = (counts: Record<string, number>, key: string | null, count: number): void => {
  if (key !== null && count > 0) counts[key] = (counts[key] ?? 0) + count;
};
