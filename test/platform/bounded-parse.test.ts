import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PARSE_OPTIONS } from "../../src/kernel/parse-options.ts";
import { IngestBody } from "../../src/platform/contract/own-operations.ts";
import { parseBounded } from "../../src/platform/contract/wire/request-checks.ts";

const IDS = {
  org: "acme",
  project: "shop",
  pipeline_execution_id: "run-1",
  pipeline_stage_id: "stage-1",
  status: "success",
};
const many = (count: number, member: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, member]));
const problemsOf = (value: unknown) => {
  const result = parseBounded(IngestBody, value);
  return result.success ? [] : result.error.issues;
};

describe("of a large value", () => {
  it.each([
    ["a map", { ...IDS, modules: many(100_000, 0) }, ["modules", "m0"]],
    [
      "a map in a map",
      { ...IDS, modules: { a: { diff: many(100_000, {}) } } },
      ["modules", "a", "diff", "m0"],
    ],
    ["a list", { ...IDS, cost: { diff: { a: { diff: Array(100_000).fill(0) } } } }, ["cost"]],
  ])("only the first wrong member of %s is reported", (_where, value, place) => {
    const problems = problemsOf(value);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThan(20);
    expect(problems[0]?.path.slice(0, place.length)).toEqual(place);
  });

  it("the last wrong member of a map is found", () => {
    const [problem] = problemsOf({
      ...IDS,
      x: Array(3_000).fill(0),
      modules: { ...many(5_000, null), z: 7 },
    });
    expect(problem?.path[0]).toBe("modules");
  });
});

describe("of a small value", () => {
  it("everything that is wrong is reported", () => {
    expect(problemsOf({ status: "x" }).map(({ path }) => path[0])).toEqual([
      "org",
      "project",
      "pipeline_execution_id",
      "pipeline_stage_id",
      "status",
    ]);
  });
});

describe("a value of any size", () => {
  const Price = z.object({ price: z.string(), tags: z.record(z.string(), z.string()).optional() });
  const Shape = z.object({
    list: z.array(Price),
    map: z.record(z.string(), z.record(z.string(), Price)).nullish(),
    either: z.union([z.record(z.string(), z.string()), z.record(z.string(), z.number())]).optional(),
    lenient: z.record(z.string(), z.number()).catch({}),
  });

  it("is read as zod reads it, or refused as zod refuses it", () => {
    const price = fc.record(
      {
        price: fc.oneof({ weight: 50, arbitrary: fc.string() }, fc.integer()),
        tags: fc.dictionary(fc.string(), fc.string()),
      },
      { requiredKeys: ["price"] },
    );
    const maps = fc.dictionary(fc.string(), fc.dictionary(fc.string(), price));
    const around = fc.record({ kind: fc.constantFrom(1, "a", null), size: fc.constantFrom(0, 3_000) });
    fc.assert(
      fc.property(
        fc.array(price),
        maps,
        around.map(({ kind, size }) => many(size, kind)),
        (list, map, other) => {
          const value = { list, map, either: other, lenient: other };
          const [expected, found] = [Shape.safeParse(value, PARSE_OPTIONS), parseBounded(Shape, value)];
          expect(found.success).toBe(expected.success);
          expect(found.success && found.data).toEqual(expected.success && expected.data);
        },
      ),
    );
  });
});
