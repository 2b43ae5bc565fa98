import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHANGE_TYPES } from "../../src/platform/contract/shapes/change-snapshot.ts";
import { casesToTry } from "../world/depth.ts";
import { engines } from "../world/engines.ts";
import { openPlatform, type PlatformWorld } from "./platform-world.ts";
import { countsOf, createStage, EXECUTIONS } from "./stories.ts";

/**
 * Rows, ordinals and filter counts through the real interface, against a naive reading of the same elements in memory:
 * pages in random order, some sent twice, filters with repeated values, searches with odd characters.
 */
const CATEGORIES = [
  "planned_changes",
  "unchanged",
  "drift_changes",
  "resources",
  "data_sources",
  "outputs",
] as const;
type Category = (typeof CATEGORIES)[number];
const CHANGED: readonly string[] = ["planned_changes", "unchanged", "drift_changes"];

const value = fc.constantFrom("aws", "Google", "a&b=c", "ä ö", "__proto__", "constructor", "%", "");
const text = fc.string({
  unit: fc.constantFrom(
    "a",
    "A",
    "b",
    "_",
    "%",
    "\\",
    ".",
    "*",
    "Ä",
    "ä",
    "ß",
    "😀",
    " ",
    "'",
    "&",
    "+",
    "İ",
  ),
  minLength: 1,
  maxLength: 5,
});

/** Few enough that different rows often share one. */
const name = fc.oneof(fc.constantFrom("a", "A", "b"), text);

interface Element {
  readonly name: string;
  readonly provider?: string;
  readonly type?: string;
  readonly module?: string;
  readonly resource_address?: string;
  readonly change?: string;
}
const state = { name, provider: value, type: value, module: value, resource_address: text };
const elementOf = (category: Category): fc.Arbitrary<Element> => {
  if (category === "outputs") return fc.record({ name });
  if (CHANGED.includes(category)) return fc.record({ ...state, change: fc.constantFrom(...CHANGE_TYPES) });
  return fc.record(state);
};
const pagesOf = (category: Category) =>
  fc.array(fc.array(elementOf(category), { maxLength: 6 }), { maxLength: 3 });

// Each is left out half the time: three filters at once let next to nothing through.
const some = fc.option(fc.array(value, { maxLength: 5 }), { nil: undefined, freq: 1 });
const filter = fc.record({
  provider: some,
  type: some,
  module: some,
  search: fc.option(fc.oneof(text, fc.constantFrom("", "a", "ä", "_")), { nil: undefined, freq: 1 }),
});
const NO_FILTER = { provider: undefined, type: undefined, module: undefined, search: undefined };
const question = fc.record({
  category: fc.constantFrom(...CATEGORIES),
  filter,
  page: fc.integer({ min: 1, max: 4 }),
  pageSize: fc.integer({ min: 1, max: 9 }),
  counted: fc.option(fc.subarray([...CATEGORIES]), { nil: undefined }),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;
type Filter = Question["filter"];

const snapshot = fc.record({
  planned_changes: pagesOf("planned_changes"),
  unchanged: pagesOf("unchanged"),
  drift_changes: pagesOf("drift_changes"),
  resources: pagesOf("resources"),
  data_sources: pagesOf("data_sources"),
  outputs: pagesOf("outputs"),
});
type Pages = typeof snapshot extends fc.Arbitrary<infer T> ? T : never;

// What a person who reads the documents would write down, without a thought for speed.

interface Row extends Required<Omit<Element, "change">> {
  readonly category: string;
  readonly ordinal: number;
  readonly change: string | null;
}
const priority = (change: string | null) =>
  change === null ? CHANGE_TYPES.length : (CHANGE_TYPES as readonly string[]).indexOf(change);
const less = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function naiveRows(pages: Pages): Row[] {
  return CATEGORIES.flatMap((category) =>
    (pages[category] as Element[][])
      .flat()
      .map(({ name, provider = "", type = "", module = "", resource_address = name, change = null }) => ({
        ...{ category, name, provider, type, module, resource_address, change },
      }))
      .sort(
        (a, b) =>
          priority(a.change) - priority(b.change) ||
          less(a.name, b.name) ||
          less(a.resource_address, b.resource_address),
      )
      .map((row, ordinal) => ({ ...row, ordinal })),
  );
}

const found = ({ name, resource_address }: Row, search = "") =>
  [name, resource_address].some((one) => one.toLowerCase().includes(search.toLowerCase()));
const allows = (allowed: readonly string[] | undefined, one: string) =>
  allowed === undefined || allowed.length === 0 || allowed.includes(one);
const DIMENSIONS = ["category", "provider", "type", "module"] as const;

const passing = (
  rows: readonly Row[],
  by: Filter & { category?: readonly string[] | undefined },
  except?: string,
) =>
  rows.filter(
    (row) =>
      found(row, by.search) &&
      DIMENSIONS.every((dimension) => dimension === except || allows(by[dimension], row[dimension])),
  );

function tally(values: readonly (string | null)[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const one of values) if (one !== null) counts.set(one, (counts.get(one) ?? 0) + 1);
  return Object.fromEntries(counts);
}

// The same questions over the wire.

const query = (by: Filter, more: readonly (readonly [string, string | number])[]) => {
  const lists = (["provider", "type", "module"] as const).flatMap((name) =>
    (by[name] ?? []).map((one) => [name, one] as const),
  );
  const search = by.search === undefined ? [] : [["search", by.search] as const];
  return [...lists, ...search, ...more].map(([name, one]) => `${name}=${encodeURIComponent(one)}`).join("&");
};
/** What of a row the model knows. */
const known = (row: Record<string, unknown>) => ({
  name: row["name"],
  resource_address: row["resource_address"],
  ordinal: row["ordinal"],
  change: row["change"] ?? null,
  drift: row["drift"],
});
const expected = ({ name, resource_address, ordinal, change, category }: Row) => ({
  ...{ name, resource_address, ordinal, change },
  drift: category === "drift_changes",
});

describe.each(engines())("resource changes on $name", (engine) => {
  let world: PlatformWorld;
  let number = 0;
  let changes = "";
  beforeAll(async () => {
    world = await openPlatform(engine);
  });
  afterAll(() => world.close());

  async function upload(pages: Pages, order: readonly number[]): Promise<void> {
    number++;
    const run = { pipeline_execution_id: `run-${number}`, pipeline_stage_id: "stage" };
    await createStage(world, run);
    changes = `${EXECUTIONS}/run-${number}/stage/resource-changes`;
    const all = CATEGORIES.flatMap((category) =>
      (pages[category] as Element[][]).map((elements, index) => ({ category, page: index + 1, elements })),
    );
    const twice = all.filter((_, index) => (order[index] ?? 0) % 3 === 0);
    const shuffled = [...all, ...twice]
      .map((page, index) => ({ page, at: order[index % order.length] ?? 0 }))
      .sort((a, b) => a.at - b.at)
      .map(({ page }) => page);
    for (const { category, page, elements } of shuffled) {
      const bytes = JSON.stringify(elements);
      const sent = await world.call("POST", `${changes}/${category}/${page}`, { bytes });
      expect(sent.status).toBe(200);
    }
    const rows = Object.fromEntries(CATEGORIES.map((category) => [category, pages[category].flat()]));
    const marker = await world.call("POST", `${changes}/counts`, { bytes: JSON.stringify(countsOf(rows)) });
    expect(marker.status).toBe(200);
  }

  async function checkRows(rows: readonly Row[], { category, filter: by, page, pageSize }: Question) {
    const matching = passing(
      rows.filter((row) => row.category === category),
      by,
    );
    const { body } = await world.call(
      "GET",
      `${changes}/${category}/rows?${query(by, [["page", page] as const, ["page_size", pageSize] as const])}`,
    );
    expect({ ...body, rows: body.rows.map(known) }).toEqual({
      page,
      pageSize,
      totalItems: matching.length,
      totalPages: Math.ceil(matching.length / pageSize),
      rows: matching.slice((page - 1) * pageSize, page * pageSize).map(expected),
    });
    for (const row of body.rows.slice(0, 2)) {
      const detail = await world.call("GET", `${changes}/${category}/rows/${row.ordinal}`);
      expect(detail.body).toMatchObject(row);
    }
  }

  async function checkCounts(rows: readonly Row[], { filter: by, counted }: Question) {
    const more = (counted ?? []).map((category) => ["category", category] as const);
    const { body } = await world.call("GET", `${changes}/filter-counts?${query(by, more)}`);
    const all = { ...by, category: counted };
    const of = (dimension: (typeof DIMENSIONS)[number]) =>
      tally(passing(rows, all, dimension).map((row) => row[dimension]));
    const zero = (names: readonly string[], counts: Record<string, number>) =>
      Object.fromEntries(names.map((name) => [name, counts[name] ?? 0]));
    const listed = ["drift_changes", "outputs", "planned_changes", "resources"];
    expect(entries(body)).toEqual(
      entries({
        categories: zero(listed, of("category")),
        change_types: zero(CHANGE_TYPES, tally(passing(rows, all).map(({ change }) => change))),
        modules: of("module"),
        providers: of("provider"),
        types: of("type"),
      }),
    );
  }
  /** As entries: a member named "__proto__" is one like any other. */
  const entries = (counts: Record<string, Record<string, number>>) =>
    Object.entries(counts).map(([name, one]) => [name, Object.entries(one).sort(([a], [b]) => less(a, b))]);

  it("answer rows, ordinals and filter counts as a naive reading does", async () => {
    const order = fc.array(fc.nat(30), { minLength: 1, maxLength: 30 });
    const questions = fc.array(question, { minLength: 4, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(snapshot, order, questions, async (pages, shuffle, asked) => {
        await upload(pages, shuffle);
        const rows = naiveRows(pages);
        for (const category of CATEGORIES)
          await checkRows(rows, {
            ...{ category, filter: NO_FILTER, page: 1, pageSize: 100, counted: undefined },
          });
        for (const one of asked) {
          await checkRows(rows, one);
          await checkCounts(rows, one);
        }
        expect(world.errors).toEqual([]);
      }),
      { numRuns: casesToTry({ usual: 5, deep: 12 }) },
    );
  }, 180_000);
});
