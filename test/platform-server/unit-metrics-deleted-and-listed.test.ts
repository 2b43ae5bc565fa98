import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { perspectivesImport } from "../../src/platform-server/unit-metrics/import.ts";
import { usualEngines } from "../world/engines.ts";
import { openPlatform, refusal, START_MS } from "./platform-world.ts";
import { record, verbsOf } from "./unit-metric-verbs.ts";

describe.each(usualEngines())("unit metrics on $name", async (engine) => {
  const { create, update, get, values, remove, list, imports } = verbsOf(() => world);
  const names = async (query?: Readonly<Record<string, string>>) =>
    (await list(query)).body.data.unitMetrics.map((one: { metricName: string }) => one.metricName);

  const world = await openPlatform(engine);
  beforeEach(async () => {
    world.clock.ms = START_MS;
    await world.store.db.deleteFrom("platform_unit_metrics").execute();
    await world.store.db.deleteFrom("platform_unit_metric_records").execute();
    await world.store.db.deleteFrom("platform_perspective_metrics").execute();
  });
  afterAll(() => world.close());

  describe("deleted", () => {
    const january = { from: "2026-01-01T00:00:00Z", to: "2026-01-31T23:59:59Z" };
    beforeEach(async () => {
      await create({ unitMetricRecords: [5, 6, 7].map((day) => record(`2026-01-0${day}T00:00:00Z`, day)) });
      await create({ metricIdentifier: "other", unitMetricRecords: [record("2026-01-06T00:00:00Z", 60)] });
    });

    it("in part: the records that a read of the same range would show", async () => {
      world.clock.ms += 1000;
      const range = { startTime: "2026-01-05T00:00:00Z", endTime: "2026-01-06T01:00:00+01:00" };
      const answer = await remove({ identifier: "users", ...range, deleteCompleteMetric: "false" });
      expect([answer.status, answer.body.data]).toEqual([200, true]);
      expect(await values(january)).toEqual([["2026-01-07T00:00:00Z", 7]]);
      expect((await get(january)).body.data.lastUpdatedAt).toBe(START_MS + 1000);
      expect(await values({ ...january, metric: "other" })).toEqual([["2026-01-06T00:00:00Z", 60]]);
    });

    it("in part, where nothing is: nothing changes", async () => {
      world.clock.ms += 1000;
      const range = { startTime: "2025-01-05T00:00:00Z", endTime: "2025-01-06T00:00:00Z" };
      expect((await remove({ identifier: "users", ...range })).body.data).toBe(true);
      expect((await get(january)).body.data.lastUpdatedAt).toBe(START_MS);
    });

    it("as a whole: definition and records, whatever range is named", async () => {
      const ignored = { startTime: "soon", endTime: "" };
      const answer = await remove({ identifier: "users", deleteCompleteMetric: "true", ...ignored });
      expect([answer.status, answer.body.data]).toEqual([200, true]);
      expect(refusal(await get(january))).toEqual([400, "RESOURCE_NOT_FOUND"]);
      await create();
      expect(await values(january)).toEqual([]);
      expect(await values({ ...january, metric: "other" })).toEqual([["2026-01-06T00:00:00Z", 60]]);
    });

    it("as a whole only when no perspective refers to them any more", async () => {
      const shown = { id: "shop", name: "Shop", unitMetrics: ["users", "users"] };
      await imports(perspectivesImport, [shown, { id: "others", name: "Others", unitMetrics: ["other"] }]);
      const whole = { identifier: "users", deleteCompleteMetric: "true" };
      const refused = await remove(whole);
      expect(refusal(refused)).toEqual([400, "DELETE_NOT_ALLOWED"]);
      expect(refused.body.message).toContain("perspectives refer to this unit metric: shop;");
      expect(await values(january)).toHaveLength(3);
      const range = { startTime: january.from, endTime: january.to };
      expect((await remove({ identifier: "users", ...range })).status).toBe(200); // in part it is allowed
      await imports(perspectivesImport, [{ ...shown, unitMetrics: [] }]);
      expect((await remove(whole)).status).toBe(200);
      const many = Array.from({ length: 11 }, (_, n) => ({
        id: `p-${n}`,
        name: "P",
        unitMetrics: ["other"],
      }));
      await imports(perspectivesImport, many);
      const { body } = await remove({ ...whole, identifier: "other" });
      expect(body.message).toContain(": others, p-0, p-1, p-10, p-2, p-3, p-4, p-5, p-6, p-7 and others;");
    });

    it("as a whole also when a perspective of another account refers to one of this name", async () => {
      await imports(perspectivesImport, [{ id: "shop", name: "Shop", unitMetrics: ["users"] }], "acc-2");
      expect((await remove({ identifier: "users", deleteCompleteMetric: "true" })).status).toBe(200);
    });
  });

  describe("listed", () => {
    const called = ["beta", "Alpha 100%", "ÄRGER", "gamma_1", "beta"];
    beforeEach(async () => {
      for (const [index, metricName] of called.entries()) {
        world.clock.ms = START_MS + index;
        await create({ metricIdentifier: `m${index}`, metricName, labels: { n: `${index}` } });
      }
    });

    it("are newest first, without records, and counted", async () => {
      world.clock.ms = START_MS + 100;
      await update({
        metricIdentifier: "m1",
        metricName: "Alpha 100%",
        unitMetricRecords: [record("2026-01-01T00:00:00Z", 1)],
      });
      const { data } = (await list()).body;
      expect(data.totalCount).toBe(5);
      const identifiers = data.unitMetrics.map((one: { metricIdentifier: string }) => one.metricIdentifier);
      expect(identifiers).toEqual(["m1", "m4", "m3", "m2", "m0"]);
      expect(data.unitMetrics[4]).toEqual({
        metricIdentifier: "m0",
        metricName: "beta",
        accountId: "acc-1",
        labels: { n: "0" },
        description: null,
        defaultAggregation: "AVG",
        handleEmptyValue: "LEAVE_BLANK",
        type: "MANUAL",
        dataSource: null,
        fieldId: null,
        columnAggregation: null,
        createdAt: START_MS,
        lastUpdatedAt: START_MS,
      });
      expect((await names({ sortOrder: "ASCENDING" }))[0]).toBe("beta");
    });

    it("are sorted by name, capitals alike", async () => {
      expect(await names({ sortType: "METRIC_NAME", sortOrder: "ASCENDING" })).toEqual([
        "Alpha 100%",
        "beta",
        "beta",
        "gamma_1",
        "ÄRGER",
      ]);
      expect(await names({ sortType: "METRIC_NAME" })).toEqual([
        "ÄRGER",
        "gamma_1",
        "beta",
        "beta",
        "Alpha 100%",
      ]);
    });

    it("are found by a part of the name in any case; nothing is a wildcard", async () => {
      expect(await names({ searchKey: "BETA" })).toEqual(["beta", "beta"]);
      expect(await names({ searchKey: "ärg" })).toEqual(["ÄRGER"]);
      expect(await names({ searchKey: "%" })).toEqual(["Alpha 100%"]);
      expect(await names({ searchKey: "_" })).toEqual(["gamma_1"]);
      expect(await names({ searchKey: "a.*" })).toEqual([]);
      expect(await names({ searchKey: "" })).toHaveLength(5);
      expect((await list({ searchKey: "beta", pageSize: "1" })).body.data.totalCount).toBe(2);
    });

    it("come in pages that count from 0", async () => {
      const page = (pageNo: string) => names({ pageNo, pageSize: "2", sortOrder: "ASCENDING" });
      expect(await Promise.all(["0", "1", "2", "3"].map(page))).toEqual([
        ["beta", "Alpha 100%"],
        ["ÄRGER", "gamma_1"],
        ["beta"],
        [],
      ]);
      expect(
        (await list({ pageSize: "100", pageNo: `${Number.MAX_SAFE_INTEGER}` })).body.data.unitMetrics,
      ).toEqual([]);
    });
  });
});
