import { z } from "zod";
import { type Category, CHANGE_TYPES, type ChangeType } from "../../platform/contract/resource-changes.ts";
import { foldCase } from "../area/perspective-filter.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";

/** An uploaded row with what its order, its filters and its search depend on. */
export interface IndexedRow {
  readonly page: number;
  readonly position: number;
  readonly name: string;
  readonly resource_address: string;
  readonly change: ChangeType | null;
  readonly provider: string;
  readonly type: string;
  readonly module: string;
  readonly isMoved: boolean;
}

/** The filterable values of a row. `change` is null where the element has none. */
const Facet = z.object({
  change: z.enum(CHANGE_TYPES).nullable(),
  provider: z.string(),
  type: z.string(),
  module: z.string(),
});
type Facet = z.output<typeof Facet>;

const numbers = z.array(z.uint32());
/** Rows by ordinal: `pages` and `positions` say where each was uploaded, `facetOf` which of `facets` it has. `moved`: ordinals. */
const StoredIndex = z.object({
  pages: numbers,
  positions: numbers,
  facets: z.array(Facet),
  facetOf: numbers,
  moved: numbers,
});

/** The index of one category as the commit writes it. */
export interface IndexTexts {
  readonly category: Category;
  /** JSON of `StoredIndex`. */
  readonly places: string;
  /** One line for each row: folded address and name (`searchLine`). */
  readonly search: string;
}

/** The rows of one category of a committed snapshot, by ordinal. It never changes, so it can be cached. */
export interface CategoryIndex {
  readonly category: Category;
  readonly pages: Uint32Array;
  readonly positions: Uint32Array;
  readonly facets: readonly Facet[];
  readonly facetOf: Uint32Array;
  readonly moved: readonly number[];
  readonly search: string;
  /** Start of each row's line in `search`, in characters. */
  readonly lineStarts: Uint32Array;
}

/** A filter for rows. Absent and empty lists match everything; values within a list are alternatives. */
export interface RowFilter {
  readonly provider?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly module?: readonly string[] | undefined;
  /** Part of an address or a name, case-insensitive; no character has a special meaning. */
  readonly search?: string | undefined;
}

/** What can be filtered by; a row's change type is counted but no filter. */
const DIMENSIONS = ["category", "provider", "type", "module"] as const;
type Dimension = (typeof DIMENSIONS)[number];

/** Number of rows per value; values without rows are omitted. */
export type FilterCounts = Readonly<Record<Dimension | "change", Record<string, number>>>;

/**
 * Sorts the rows of one category by change type, name and address, the texts by UTF-16 code units; equal rows stay in upload order
 * (provisioning 4.2, upload rule 3 and read rule 1).
 */
export function writeIndex(category: Category, rows: readonly IndexedRow[]): IndexTexts {
  const sorted = rows.toSorted(
    (a, b) =>
      getPriority(a) - getPriority(b) ||
      compareText(a.name, b.name) ||
      compareText(a.resource_address, b.resource_address) ||
      a.page - b.page ||
      a.position - b.position,
  );
  const facets = new Map<string, { readonly number: number; readonly facet: Facet }>();
  const facetOf = sorted.map(({ change, provider, type, module }) => {
    const facet = { change, provider, type, module };
    const key = JSON.stringify(facet);
    const found = facets.get(key) ?? { number: facets.size, facet };
    facets.set(key, found);
    return found.number;
  });
  const stored: z.input<typeof StoredIndex> = {
    pages: sorted.map(({ page }) => page),
    positions: sorted.map(({ position }) => position),
    facets: facets
      .values()
      .map(({ facet }) => facet)
      .toArray(),
    facetOf,
    moved: sorted.flatMap(({ isMoved }, ordinal) => (isMoved ? [ordinal] : [])),
  };
  return {
    category,
    places: JSON.stringify(stored),
    search: sorted.map(({ resource_address, name }) => searchLine(resource_address, name)).join("\n"),
  };
}

const searchLine = (address: string, name: string): string => {
  const folded = { address: foldCase(address), name: foldCase(name) };
  return folded.address.includes(folded.name) ? folded.address : `${folded.address}\t${folded.name}`;
};

/** Rows without a change type come last. */
const getPriority = ({ change }: IndexedRow): number =>
  change === null ? CHANGE_TYPES.length : CHANGE_TYPES.indexOf(change);

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const parseIndex = createStoredJsonParser("an index of resource changes", StoredIndex);

/** @throws TollgateError `stored_value_unreadable` */
export function readIndex({ category, places, search }: IndexTexts): CategoryIndex {
  const { pages, positions, facets, facetOf, moved } = parseIndex(places);
  const lineStarts = new Uint32Array(pages.length);
  for (let line = 1, start = 0; line < pages.length; line += 1) {
    start = search.indexOf("\n", start) + 1;
    lineStarts[line] = start;
  }
  return {
    category,
    pages: Uint32Array.from(pages),
    positions: Uint32Array.from(positions),
    facets,
    facetOf: Uint32Array.from(facetOf),
    moved,
    search,
    lineStarts,
  };
}

export const createEmptyIndex = (category: Category): CategoryIndex =>
  readIndex({
    category,
    places: '{"pages":[],"positions":[],"facets":[],"facetOf":[],"moved":[]}',
    search: "",
  });

/** Returns the number of rows that match the filter, and the ordinals of `limit` of them from `offset` on, in order. */
export function findRows(
  index: CategoryIndex,
  query: RowFilter & {
    readonly moved?: boolean | undefined;
    readonly offset: number;
    readonly limit: number;
  },
): { total: number; ordinals: number[] } {
  const passes = createPassTests({ ...query, category: [] });
  const isWanted = index.facets.map((facet) =>
    DIMENSIONS.every((name) => passes[name](pickValue(index, facet, name))),
  );
  const moved = query.moved === true ? new Set(index.moved) : null;
  const end = query.offset + query.limit;
  const ordinals: number[] = [];
  let total = 0;
  forEachMatch(index, foldCase(query.search ?? ""), (ordinal, facet) => {
    if (isWanted[facet] !== true || moved?.has(ordinal) === false) return;
    if (total >= query.offset && total < end) ordinals.push(ordinal);
    total += 1;
  });
  return { total, ordinals };
}

/** Unchanged resources have a category of their own, and are in `planned_changes` too where the upload has them there: these are left out. */
export const removeRepeatedRows = (indexes: readonly CategoryIndex[]): readonly CategoryIndex[] =>
  indexes.some(
    ({ category, facets }) =>
      category === "planned_changes" && facets.some(({ change }) => change === "unchanged"),
  )
    ? indexes.filter(({ category }) => category !== "unchanged")
    : indexes;

/** Counts the rows of each dimension under the filters of the other dimensions; `search` applies to all of them. */
export function countFacets(
  indexes: readonly CategoryIndex[],
  filter: RowFilter & { readonly category?: readonly string[] | undefined },
): FilterCounts {
  const passes = createPassTests(filter);
  const term = foldCase(filter.search ?? "");
  const counts = {
    category: createTally(),
    provider: createTally(),
    type: createTally(),
    module: createTally(),
    change: createTally(),
  };
  for (const index of indexes) {
    const hits = countHits(index, term);
    for (const [number, facet] of index.facets.entries())
      for (const name of listCountedDimensions(index, facet, passes))
        add(counts[name], pickValue(index, facet, name), hits[number] ?? 0);
  }
  return counts;
}

function countHits(index: CategoryIndex, term: string): Uint32Array {
  const hits = new Uint32Array(index.facets.length);
  forEachMatch(index, term, (_, facet) => {
    hits[facet] = (hits[facet] ?? 0) + 1;
  });
  return hits;
}

/** A row that passes every filter counts everywhere; one that fails a single filter counts in that filter's own dimension. */
function listCountedDimensions(
  index: CategoryIndex,
  facet: Facet,
  passes: Record<Dimension, PassTest>,
): readonly (Dimension | "change")[] {
  const failed = DIMENSIONS.filter((name) => !passes[name](pickValue(index, facet, name)));
  if (failed.length === 0) return [...DIMENSIONS, "change"];
  return failed.length === 1 ? failed : [];
}

const pickValue = ({ category }: CategoryIndex, facet: Facet, name: Dimension | "change"): string | null =>
  name === "category" ? category : facet[name];

type PassTest = (value: string | null) => boolean;

function createPassTests(
  filter: RowFilter & { readonly category?: readonly string[] | undefined },
): Record<Dimension, PassTest> {
  const passer = (allowed: readonly string[] = []): PassTest => {
    const values = new Set<string | null>(allowed);
    return (value) => values.size === 0 || values.has(value);
  };
  return {
    category: passer(filter.category),
    provider: passer(filter.provider),
    type: passer(filter.type),
    module: passer(filter.module),
  };
}

/** Visits the rows whose line holds the (folded) term, in order; every row when it is empty. */
function forEachMatch(
  index: CategoryIndex,
  term: string,
  visit: (ordinal: number, facet: number) => void,
): void {
  const { facetOf, lineStarts, search } = index;
  if (term === "") {
    for (const [ordinal, facet] of facetOf.entries()) visit(ordinal, facet);
    return;
  }
  let ordinal = 0;
  for (let at = search.indexOf(term); at >= 0; ) {
    ordinal = findLine(lineStarts, at, ordinal);
    visit(ordinal, facetOf[ordinal] ?? 0);
    const next = lineStarts[ordinal + 1];
    at = next === undefined ? -1 : search.indexOf(term, next);
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

/** A row without a value, as an output has no module, is counted under none. */
const add = (counts: Record<string, number>, key: string | null, count: number): void => {
  if (key !== null && key !== "" && count > 0) counts[key] = (counts[key] ?? 0) + count;
};
