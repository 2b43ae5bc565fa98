import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchLine } from "../../src/platform-server/area/fold-case.ts";
import {
  buildIndexedRun,
  countFacets,
  type FacetFilter,
  findRows,
  type SnapshotIndex,
} from "../../src/platform-server/changes/snapshot-index.ts";
import { casesToTry } from "../world/depth.ts";

interface Row {
  readonly category: string;
  readonly provider: string;
  readonly type: string;
  readonly module: string;
  readonly change: string | null;
  readonly address: string;
  readonly name: string;
}

const word = fc.constantFrom("aws", "Google", "__proto__", "constructor", "");
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "B", "b", "%", "_", "\\", ".", "Ä", "ß", "😀", "İ"), maxLength: 6 }),
  fc.string({ maxLength: 4 }).map((value) => value.replace(/\p{Cc}/gu, "")),
);
const row: fc.Arbitrary<Row> = fc.record({
  category: fc.constantFrom("drift_changes", "outputs", "planned_changes"),
  provider: word,
  type: word,
  module: word,
  change: fc.constantFrom("added", "deleted", null),
  address: text,
  name: text,
});
const some = fc.option(fc.array(word, { maxLength: 2 }), { nil: undefined });
const filter: fc.Arbitrary<FacetFilter> = fc.record({
  provider: some,
  type: some,
  module: some,
  category: fc.option(fc.subarray(["drift_changes", "planned_changes", "resources"]), { nil: undefined }),
  search: fc.option(text, { nil: undefined }),
});

/** As an upload would store it: `perRun` rows of a category to a run. */
function indexOf(rows: readonly Row[], perRun: number): SnapshotIndex {
  const combination = ({ category, provider, type, module, change }: Row) =>
    JSON.stringify({ category, provider, type, module, change });
  const known = [...new Set(rows.map(combination))];
  const facets = known.map((json, facet) => ({ ...JSON.parse(json), facet }));
  const runs = ["drift_changes", "outputs", "planned_changes"].flatMap((category) => {
    const own = rows.filter((one) => one.category === category);
    return Array.from({ length: Math.ceil(own.length / perRun) }, (_, run) => {
      const part = own.slice(run * perRun, (run + 1) * perRun);
      return buildIndexedRun({
        category,
        run,
        first_ordinal: run * perRun,
        search: part.map(({ address, name }) => searchLine(address, name)).join("\n"),
        facets: JSON.stringify(part.map((one) => known.indexOf(combination(one)))),
      });
    });
  });
  return { facets, runs, weight: 0 };
}

const holds = (row: Row, search = "") =>
  [row.address, row.name].some((value) => value.toLowerCase().includes(search.toLowerCase()));
const allows = (values: readonly string[] | undefined, value: string) =>
  values === undefined || values.length === 0 || values.includes(value);

function naiveCounts(rows: readonly Row[], by: FacetFilter) {
  const found = rows.filter((one) => holds(one, by.search));
  const passing = (own: string | null) =>
    found.filter((one) =>
      (["category", "provider", "type", "module"] as const).every(
        (dimension) => dimension === own || allows(by[dimension], one[dimension]),
      ),
    );
  const count = (dimension: "category" | "provider" | "type" | "module" | "change") => {
    const counts = new Map<string, number>();
    for (const one of passing(dimension)) {
      const value = one[dimension];
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts].sort();
  };
  return (["category", "provider", "type", "module", "change"] as const).map(count);
}

describe("the index of a snapshot", () => {
  it("counts facets as a naive reading of the rows does", () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 40 }),
        filter,
        fc.integer({ min: 1, max: 5 }),
        (rows, by, perRun) => {
          const counts = countFacets(indexOf(rows, perRun), by);
          const found = [counts.category, counts.provider, counts.type, counts.module, counts.change];
          expect(found.map((one) => Object.entries(one).sort())).toEqual(naiveCounts(rows, by));
        },
      ),
      { numRuns: casesToTry({ usual: 60, deep: 500 }) },
    );
  });

  it("finds the rows that a naive reading finds, in order and by page", () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 40 }),
        filter,
        fc.record({ offset: fc.nat(8), limit: fc.nat(8), perRun: fc.integer({ min: 1, max: 5 }) }),
        (rows, by, { offset, limit, perRun }) => {
          const planned = rows.filter(({ category }) => category === "planned_changes");
          const matching = planned.flatMap((one, ordinal) =>
            holds(one, by.search) &&
            allows(by.provider, one.provider) &&
            allows(by.type, one.type) &&
            allows(by.module, one.module)
              ? [{ ordinal, run: Math.floor(ordinal / perRun), position: ordinal % perRun }]
              : [],
          );
          const found = findRows(indexOf(rows, perRun), "planned_changes", { ...by, offset, limit });
          expect(found).toEqual({ total: matching.length, rows: matching.slice(offset, offset + limit) });
        },
      ),
      { numRuns: casesToTry({ usual: 60, deep: 500 }) },
    );
  });
});
