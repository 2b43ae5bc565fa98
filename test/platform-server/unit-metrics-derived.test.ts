import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { billingImport, perspectivesImport } from "../../src/platform-server/unit-metrics/import.ts";
import { usualEngines } from "../world/engines.ts";
import { openPlatform, refusal } from "./platform-world.ts";
import { pairs, verbsOf } from "./unit-metric-verbs.ts";

const JANUARY = { from: "2026-01-01T00:00:00Z", to: "2026-01-31T23:59:59Z" };
const row = (id: string, cost: string, more: object = {}) => ({
  id,
  startTime: "2026-01-05T00:00:00Z",
  cost,
  currency: "USD",
  cloudProvider: "CLOUD_1",
  ...more,
});
const field = (fieldId: string, more: object = {}) => ({ fieldId, ...more });
const id = (fieldId: string, operator: string, ...values: string[]) => ({
  idFilter: { field: field(fieldId), operator, values },
});

describe.each(usualEngines())("a derived unit metric on $name", async (engine) => {
  const { create, update, get, values, remove, perspective, imports } = verbsOf(() => world);
  const derive = (more: object = {}) =>
    create({ metricIdentifier: "spend", type: "DERIVED", fieldId: "cost", ...more });
  const bill = (...rows: object[]) => imports(billingImport, rows);
  const spend = (range: { from: string; to: string; by?: string } = JANUARY) =>
    values({ ...range, metric: "spend" });
  /** What a perspective with these filters sums up. */
  const total = async (filters: readonly object[], asked: object = {}) => {
    const answer = await perspective({ id: "all", ...asked }, filters);
    pairs(answer);
    return answer.body.data.total;
  };

  const world = await openPlatform(engine);
  beforeEach(async () => {
    world.clock.ms = Date.UTC(2026, 1, 10);
    for (const table of [
      "platform_unit_metrics",
      "platform_billing_rows",
      "platform_perspectives",
      "platform_perspective_metrics",
    ] as const)
      await world.store.db.deleteFrom(table).execute();
    await imports(perspectivesImport, [{ id: "all", name: "All" }]);
  });
  afterAll(() => world.close());

  it("sums a column of the billing rows in each bucket", async () => {
    const made = await derive();
    expect(made.body.data).toMatchObject({
      type: "DERIVED",
      dataSource: "BILLING",
      fieldId: "cost",
      columnAggregation: "SUM",
      unitMetricRecords: [],
    });
    await bill(
      row("a", "0.1"),
      row("b", "0.2"),
      row("c", "-0.05", { startTime: "2026-01-06T23:59:59Z" }),
      row("d", "7", { startTime: "2026-02-01T00:00:00Z" }),
    );
    expect(await spend()).toEqual([
      ["2026-01-05T00:00:00Z", 0.3],
      ["2026-01-06T00:00:00Z", -0.05],
    ]);
    expect(await spend({ ...JANUARY, by: "WEEK" })).toEqual([["2026-01-05T00:00:00Z", 0.25]]);
    expect((await get({ ...JANUARY, metric: "spend" })).body.data.total).toBe(0.25);
  });

  it.each([
    ["SUM", "usageAmount", 7],
    ["COUNT", "usageAmount", 3],
    ["COUNT_DISTINCT", "usageAmount", 2],
    ["AVG", "usageAmount", 7 / 3],
    ["MIN", "usageAmount", 1],
    ["MAX", "usageAmount", 3],
    ["COUNT", "resource", 3],
    ["COUNT_DISTINCT", "resource", 2],
  ])("applies %s to %s", async (columnAggregation, fieldId, expected) => {
    await derive({ fieldId, columnAggregation });
    await bill(
      row("a", "1", { usageAmount: "1", resource: "vm-1" }),
      row("b", "1", { usageAmount: "3", resource: "vm-1" }),
      row("c", "1", { usageAmount: "3.0", resource: "vm-2" }),
      row("d", "1"),
    );
    expect((await get({ ...JANUARY, metric: "spend" })).body.data.total).toBeCloseTo(expected, 12);
  });

  it("takes a row that lacks the column for none, in counts and in values carried forward", async () => {
    await derive({ fieldId: "usageAmount", handleEmptyValue: "PREVIOUS_VALUE" });
    await bill(
      row("a", "1", { usageAmount: "5", startTime: "2026-01-02T00:00:00Z" }),
      row("b", "1", { startTime: "2026-01-03T00:00:00Z" }),
    );
    const later = { from: "2026-01-04T00:00:00Z", to: "2026-01-04T23:59:59Z" };
    expect(await spend(later)).toEqual([["2026-01-04T00:00:00Z", 5]]);
    await update({ metricIdentifier: "spend", columnAggregation: "COUNT", handleEmptyValue: "LEAVE_BLANK" });
    expect(await spend()).toEqual([["2026-01-02T00:00:00Z", 1]]);
    expect((await get({ ...later, metric: "spend" })).body.data.total).toBeNull();
  });

  it("never adds or compares amounts of several currencies", async () => {
    await derive({ handleEmptyValue: "PREVIOUS_VALUE" });
    await bill(row("a", "1"), row("b", "2", { currency: "EUR" }));
    for (const columnAggregation of ["SUM", "AVG", "MIN", "MAX"]) {
      await update({ metricIdentifier: "spend", columnAggregation });
      const answer = await get({ ...JANUARY, metric: "spend" });
      expect(refusal(answer)).toEqual([400, "ILLEGAL_STATE"]);
      expect(answer.body.message).toContain("EUR, USD");
    }
    await update({ metricIdentifier: "spend", columnAggregation: "SUM" });
    expect(await total([id("currency", "IN", "EUR")])).toBe(2);
    // A value that is carried in from before counts as one, too.
    await bill(row("c", "1", { startTime: "2026-01-02T00:00:00Z", currency: "EUR" }), row("b", "2"));
    const later = { from: "2026-01-04T00:00:00Z", to: "2026-01-06T00:00:00Z", metric: "spend" };
    expect(refusal(await get(later))).toEqual([400, "ILLEGAL_STATE"]);
    await update({ metricIdentifier: "spend", columnAggregation: "COUNT" });
    expect((await get(later)).status).toBe(200);
  });

  it("says every member that is wrong, at once", async () => {
    const wrong = async (more: object) => refusal(await derive(more));
    expect(await wrong({ fieldId: null })).toEqual([400, "INVALID_ARGUMENT", "fieldId"]);
    expect(await wrong({ fieldId: "cots" })).toEqual([400, "INVALID_ARGUMENT", "fieldId"]);
    expect(await wrong({ fieldId: "region" })).toEqual([400, "INVALID_ARGUMENT", "columnAggregation"]);
    expect(
      await wrong({
        dataSource: "LLM_TRACES",
        fieldId: "region",
        columnAggregation: "AVG",
        unitMetricRecords: [{ value: 1, usageTimeStamp: "2026-01-01T00:00:00Z" }],
      }),
    ).toEqual([400, "INVALID_ARGUMENT", "unitMetricRecords", "dataSource", "columnAggregation"]);
    expect((await wrong({ dataSource: "SPREADSHEET" }))[0]).toBe(400);
    expect(refusal(await get({ ...JANUARY, metric: "spend" }))).toEqual([400, "RESOURCE_NOT_FOUND"]);
  });

  it("retains its column through an update that does not name it", async () => {
    await derive({ fieldId: "region", columnAggregation: "COUNT_DISTINCT" });
    expect((await update({ metricIdentifier: "spend" })).body.data).toMatchObject({
      fieldId: "region",
      columnAggregation: "COUNT_DISTINCT",
    });
    expect(refusal(await update({ metricIdentifier: "spend", columnAggregation: "SUM" }))).toEqual([
      400,
      "INVALID_ARGUMENT",
      "columnAggregation",
    ]);
  });

  it("has no records to delete, but can be deleted", async () => {
    await derive();
    const range = { startTime: JANUARY.from, endTime: JANUARY.to };
    expect(refusal(await remove({ identifier: "spend", ...range }))).toEqual([400, "DELETE_NOT_ALLOWED"]);
    expect((await remove({ identifier: "spend", deleteCompleteMetric: "true" })).body.data).toBe(true);
  });

  describe("over a perspective", () => {
    const bills = [
      row("a", "1", { region: "eu-1", account: "prod", product: "Compute", labels: { team: "web" } }),
      row("b", "2", {
        region: "us-1",
        account: "prod",
        cloudProvider: "CLOUD_2",
        costCategories: { unit: "shop" },
      }),
      row("c", "4", { region: "US-2", account: "test", labels: { team: "data", Tier: "1" } }),
      row("d", "8", { account: "test", startTime: "2026-01-20T00:00:00Z", cloudProvider: "CLOUD_3" }),
      row("e", "16", { region: "us_1", startTime: "2026-02-05T00:00:00Z", resource: "" }),
    ];
    const wide = { to: "2026-12-31T00:00:00Z" };
    beforeEach(async () => {
      await derive();
      await bill(...bills);
    });

    it.each<[string, object[], number | null]>([
      ["an empty text: none", [id("resource", "NULL")], 31],
      ["a provider, in our words", [id("cloudProvider", "IN", "CLOUD_1")], 21],
      ["a provider, in the wire's words", [id("cloudProvider", "IN", "GCP", "AZURE")], 10],
      ["a field of one provider, which others do not have", [id("cloud1UsageAccountId", "IN", "prod")], 1],
      ["the same in the wire's words", [id("awsUsageaccountid", "NULL")], 26],
      ["another provider's", [id("azureSubscriptionGuid", "NOT_NULL")], 2],
    ])("narrows by %s", async (_, filters, expected) => {
      expect(await total(filters, wide)).toBe(expected);
    });

    it("starts from the saved rules, unless they are overridden", async () => {
      const saved = (values: string[]) => [
        { conditions: [{ field: field("account"), operator: "IN", values }] },
      ];
      await imports(perspectivesImport, [
        { id: "prod", name: "Production", rules: [...saved(["prod"]), ...saved(["none"])] },
        { id: "test", name: "Test", rules: saved(["test"]) },
      ]);
      const europe = [id("region", "IN", "eu-1", "US-2")];
      expect(await total([], { id: "prod", ...wide })).toBe(3);
      expect(await total(europe, { id: "prod", ...wide, override: false })).toBe(1);
      expect(await total(europe, { id: "prod", ...wide, override: true })).toBe(5);
      const view = (viewId: string, more: object = {}) => ({ viewMetadataFilter: { viewId, ...more } });
      expect(await total([view("test")], { id: "all", ...wide })).toBe(12);
      expect(await total([view("test")], { id: "prod", ...wide })).toBeNull();
      expect(await total([view("test")], { id: "prod", ...wide, override: true })).toBe(12);
      expect(await total([view("test", { isPreview: true })], { id: "prod", ...wide })).toBe(3);
      expect(await total([view("test", { preview: true })], { id: "prod", ...wide })).toBe(3);
      expect(await total([view("prod")], { id: "prod", ...wide, override: true })).toBe(31);
      expect(refusal(await perspective({ id: "prod" }, [view("gone")]))).toEqual([
        400,
        "RESOURCE_NOT_FOUND",
        "0.viewMetadataFilter.viewId",
      ]);
    });

    it("refuses what it does not know: perspective and metric", async () => {
      expect(refusal(await perspective({ id: "gone", override: true }))).toEqual([400, "RESOURCE_NOT_FOUND"]);
      expect(refusal(await perspective({ id: "all", metric: "gone" }))).toEqual([400, "RESOURCE_NOT_FOUND"]);
      await create({ metricIdentifier: "users" });
      expect(refusal(await perspective({ id: "all", metric: "users" }))).toEqual([
        400,
        "INVALID_REQUEST",
        "metricIdentifier",
      ]);
    });
  });
});
