import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesToTry } from "../world/depth.ts";
import { usualEngines } from "../world/engines.ts";
import { openPlatform } from "./platform-world.ts";
import { filters, lines } from "./recommendation-model.ts";
import { naiveList, naiveMatches } from "./recommendation-naive.ts";
import { asks, imports, list } from "./recommendation-verbs.ts";

const SEED = 20_260_101;

const FILTERS = casesToTry({ usual: 30, deep: 120 });

describe.each(usualEngines())("recommendations on $name", (engine) => {
  test("any filter finds what a reading of plain objects finds, in the same order", async () => {
    const world = await openPlatform(engine);
    const all = lines(120, SEED);
    await imports(world, all);
    await imports(
      world,
      [...all].reverse().map((line) => ({ ...line, monthlySaving: 7 })),
      "acc-2",
    );
    let hits = 0;
    const check = fc.asyncProperty(filters, async (filter) => {
      const now = world.clock.ms;
      const answer = await list(world, filter);
      expect(answer.body.status).toBe("SUCCESS");
      const ids = answer.body.data.items.map(({ id }: { id: string }) => id);
      expect(ids).toEqual(naiveList(all, filter, now));
      hits += ids.length > 0 ? 1 : 0;
      const matching = all.filter((line) => naiveMatches(line, filter, now));
      const counted = await asks(world, "POST /overview/count", { json: filter });
      expect(counted.body.data).toBe(matching.length);
    });
    await fc.assert(check, { seed: SEED, numRuns: FILTERS, endOnFailure: true });
    // The filters are no filters if they find nothing.
    expect(hits).toBeGreaterThan(FILTERS / 3);
    for (const filter of fc.sample(filters, { seed: SEED, numRuns: casesToTry({ usual: 6, deep: 15 }) })) {
      const matching = all.filter((line) => naiveMatches(line, filter, world.clock.ms));
      const values = await asks(world, "POST /overview/filter-values", {
        json: { columns: ["name", "resourceType"], filter },
      });
      const different = (texts: readonly (string | null | undefined)[]) =>
        [...new Set(texts.filter((text) => text != null))].sort((a, b) =>
          Buffer.compare(Buffer.from(a), Buffer.from(b)),
        );
      expect(values.body.data).toEqual([
        { key: "name", values: different(matching.map(({ resourceName }) => resourceName)) },
        { key: "resourceType", values: different(matching.map(({ resourceType }) => resourceType)) },
      ]);
    }
    await world.close();
  }, 60_000);
});
