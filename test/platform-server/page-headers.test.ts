import { afterAll, describe, expect, test } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { anomaly, anomalyVerbs } from "./anomalies-verbs.ts";
import { openPlatform, type PlatformAnswer } from "./platform-world.ts";
import { asks, imports, recommendation } from "./recommendation-verbs.ts";

const shared = ({ headers }: PlatformAnswer) =>
  ["x-total-elements", "x-page-number", "x-page-size"].map((name) => Number(headers.get(name) ?? Number.NaN));

describe.each(usualEngines())(
  "page headers of lists that are asked for by offset, on $name",
  async (engine) => {
    const anomalies = anomalyVerbs(() => world);
    const world = await openPlatform(engine);
    const tags = (index: number) => ({ Team: `team-${index}`, [`only-${index}`]: "x" });
    await imports(
      world,
      Array.from({ length: 7 }, (_, index) => recommendation(`r-${index}`, { tags: tags(index) })),
    );
    const clouds = ["CLOUD_1", "CLOUD_2", "CLOUD_3"];
    await anomalies.bring(
      ...Array.from({ length: 7 }, (_, index) => anomaly(`a-${index}`, { cloudProvider: clouds[index % 3] })),
    );
    afterAll(() => world.close());

    // total, number of the page in which the first item lies, items of a page
    const PIECES: [object, number[]][] = [
      [{}, [7, 1, 10]],
      [{ limit: null, offset: null }, [7, 1, 10]],
      [{ limit: 2, offset: 2 }, [7, 2, 2]],
      [{ limit: 2, offset: 3 }, [7, 2, 2]],
      [{ limit: 2, offset: 6 }, [7, 4, 2]],
      [{ limit: 7 }, [7, 1, 7]],
      [{ limit: 2, offset: 100 }, [7, 51, 2]],
    ];
    test.each(PIECES)("recommendations with %j", async (filter, figures) => {
      expect(shared(await asks(world, "POST /overview/list", { json: filter }))).toEqual(figures);
    });

    test("recommendations count only those that the filter finds", async () => {
      const filter = { tagDTOs: [{ key: "Team", value: "team-3" }], limit: 1, offset: 1 };
      expect(shared(await asks(world, "POST /overview/list", { json: filter }))).toEqual([1, 2, 1]);
    });

    test.each<[object, number[]]>([
      [{ limit: 2 }, [3, 1, 2]],
      [{ limit: 2, offset: 4 }, [3, 3, 2]],
    ])("groups of anomalies with %j are counted, not their anomalies", async (piece, figures) => {
      const filter = { groupBy: [{ groupByField: "CLOUD_PROVIDER" }], ...piece };
      expect(shared(await anomalies.ask("/list", { anomalyFilterPropertiesDTO: filter }))).toEqual(figures);
    });

    test("anomalies aggregated as a whole are one group", async () => {
      const aggregations = [{ operationType: "SUM", field: "ACTUAL_COST" }];
      const request = { anomalyFilterPropertiesDTO: { aggregations, limit: 1, offset: 1 } };
      expect(shared(await anomalies.ask("/list", request))).toEqual([1, 2, 1]);
    });

    test.each<[Record<string, string>, number[]]>([
      [{}, [8, 1, 30]],
      [{ limit: "3", offset: "3" }, [8, 2, 3]],
      [{ limit: "3", offset: "30" }, [8, 11, 3]],
      [{ search: "ONLY", limit: "2", offset: "2" }, [7, 2, 2]],
      [{ tagKey: "Team", limit: "2" }, [7, 1, 2]],
      [{ tagKey: "Team", search: "-3", offset: "5" }, [1, 1, 30]],
    ])("tags with %j", async (query, figures) => {
      expect(shared(await asks(world, "GET /tags/filter-panel", { query }))).toEqual(figures);
    });

    test("a list asks for at most 100 tags, 30 by default", async () => {
      expect((await asks(world, "GET /tags/filter-panel", { query: { limit: "100" } })).status).toBe(200);
      expect((await asks(world, "GET /tags/filter-panel", { query: { limit: "101" } })).status).toBe(400);
    });
  },
);
