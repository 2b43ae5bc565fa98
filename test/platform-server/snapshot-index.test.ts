import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHANGE_TYPES } from "../../src/platform/contract/resource-changes.ts";
import {
  countFacets,
  findRows,
  type IndexedRow,
  type RowFilter,
  readIndex,
  writeIndex,
} from "../../src/platform-server/changes/snapshot-index.ts";
import { casesToTry } from "../world/depth.ts";

/** The index of uploaded rows, against a naive reading of the same rows. */
const CATEGORIES = ["drift_changes", "outputs", "planned_changes"] as const;
type Row = Omit<IndexedRow, "page" | "position"> & { readonly category: (typeof CATEGORIES)[number] };
type Filter = RowFilter & { readonly category?: readonly string[] | undefined };

const word = fc.constantFrom("aws", "Google", "__proto__", "constructor", "");
const text = fc.oneof(
  // Few enough that different rows often share one.
  fc.constantFrom("a", "A", "b"),
  fc.string({ unit: fc.constantFrom("a", "B", "b", "%", "_", "\\", ".", "Ä", "ß", "😀", "İ"), maxLength: 6 }),
  fc.string({ maxLength: 4 }).map((value) => value.replace(/\p{Cc}/gu, "")),
);
const row: fc.Arbitrary<Row> = fc.record({
  category: fc.constantFrom(...CATEGORIES),
  provider: word,
  type: word,
  module: word,
  change: fc.constantFrom("added", "deleted", "unchanged", null),
  resource_address: text,
  name: text,
  isMoved: fc.boolean(),
});
const some = fc.option(fc.array(word, { maxLength: 2 }), { nil: undefined });
const filter: fc.Arbitrary<Filter> = fc.record({
  provider: some,
  type: some,
  module: some,
  category: fc.option(fc.subarray(["drift_changes", "planned_changes", "resources"]), { nil: undefined }),
  search: fc.option(text, { nil: undefined }),
});

const PER_PAGE = 3;
const placed = (rows: readonly Row[], category: string): (IndexedRow & Row)[] =>
  rows
    .filter((one) => one.category === category)
    .map((one, at) => ({ ...one, page: 1 + Math.floor(at / PER_PAGE), position: at % PER_PAGE }));

const indexOf = (rows: readonly Row[], category: Row["category"]) =>
  readIndex(writeIndex(category, placed(rows, category)));

const less = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const priority = ({ change }: Row) => (change === null ? CHANGE_TYPES.length : CHANGE_TYPES.indexOf(change));
const sorted = (rows: readonly Row[], category: string) =>
  placed(rows, category).sort(
    (a, b) =>
      priority(a) - priority(b) || less(a.name, b.name) || less(a.resource_address, b.resource_address),
  );

const holds = (one: Row, search = "") =>
  [one.resource_address, one.name].some((value) => value.toLowerCase().includes(search.toLowerCase()));
const allows = (values: readonly string[] | undefined, value: string) =>
  values === undefined || values.length === 0 || values.includes(value);
const DIMENSIONS = ["category", "provider", "type", "module"] as const;
const matches = (one: Row, by: Filter, except?: string) =>
  holds(one, by.search) &&
  DIMENSIONS.every((dimension) => dimension === except || allows(by[dimension], one[dimension]));

function naiveCounts(rows: readonly Row[], by: Filter) {
  return ([...DIMENSIONS, "change"] as const).map((dimension) => {
    const counts = new Map<string, number>();
    for (const one of rows.filter((each) => matches(each, by, dimension))) {
      const value = one[dimension];
      if (value !== null && value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts].sort();
  });
}

describe("the index of a snapshot", () => {
  it("counts facets as a naive reading of the rows does", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), filter, (rows, by) => {
        const counts = countFacets(
          CATEGORIES.map((category) => indexOf(rows, category)),
          by,
        );
        const found = [counts.category, counts.provider, counts.type, counts.module, counts.change];
        expect(found.map((one) => Object.entries(one).sort())).toEqual(naiveCounts(rows, by));
      }),
      { numRuns: casesToTry({ usual: 60, deep: 500 }) },
    );
  });

  it("finds the rows that a naive reading finds, by change type, name and address, and by page", () => {
    const page = fc.record({
      offset: fc.nat(8),
      limit: fc.nat(8),
      moved: fc.option(fc.boolean(), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), filter, page, (rows, by, query) => {
        const { moved, offset, limit } = query;
        const index = indexOf(rows, "planned_changes");
        const matching = sorted(rows, "planned_changes").flatMap((one, ordinal) =>
          matches(one, { ...by, category: [] }) && (moved !== true || one.isMoved)
            ? [{ ...one, ordinal }]
            : [],
        );
        const { total, ordinals } = findRows(index, { ...by, ...query });
        expect(total).toBe(matching.length);
        expect(ordinals.map((at) => [at, index.pages[at], index.positions[at]])).toEqual(
          matching
            .slice(offset, offset + limit)
            .map(({ ordinal, page: at, position }) => [ordinal, at, position]),
        );
      }),
      { numRuns: casesToTry({ usual: 60, deep: 500 }) },
    );
  });
});
