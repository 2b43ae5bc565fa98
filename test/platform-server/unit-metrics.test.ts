import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT, openPlatform, refusal, START_MS } from "./platform-world.ts";
import { record, verbsOf } from "./unit-metric-verbs.ts";

const JANUARY = { from: "2026-01-01T00:00:00Z", to: "2026-01-31T23:59:59Z" };

describe.each(usualEngines())("an uploaded unit metric on $name", async (engine) => {
  const { create, update, get, values, remove } = verbsOf(() => world);

  const world = await openPlatform(engine);
  beforeEach(async () => {
    world.clock.ms = START_MS;
    await remove({ identifier: "users", deleteCompleteMetric: "true" });
  });
  afterAll(() => world.close());

  it("is answered as it was created, with what was not said", async () => {
    const made = await create({ unitMetricRecords: [record("2026-01-02T01:00:00+01:00", 2.5)] });
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      status: "SUCCESS",
      data: {
        metricIdentifier: "users",
        metricName: "Users",
        accountId: ACCOUNT,
        labels: {},
        description: null,
        defaultAggregation: "AVG",
        handleEmptyValue: "LEAVE_BLANK",
        type: "MANUAL",
        dataSource: null,
        fieldId: null,
        columnAggregation: null,
        createdAt: START_MS,
        lastUpdatedAt: START_MS,
        unitMetricRecords: [{ value: 2.5, usageTimeStamp: "2026-01-02T00:00:00Z" }],
        total: null,
      },
      metaData: null,
      correlationId: expect.any(String),
    });
    const read = await get(JANUARY);
    expect(read.body.data).toEqual({ ...made.body.data, total: 2.5 });
    expect(world.errors).toEqual([]);
  });

  it("adds exactly: tenths are tenths", async () => {
    const unitMetricRecords = [
      record("2026-01-05T00:00:00Z", 0.1),
      record("2026-01-05T01:00:00Z", 0.2),
      record("2026-01-05T02:00:00Z", 999999999999999),
      record("2026-01-05T03:00:00Z", -999999999999999),
    ];
    await create({ defaultAggregation: "SUM", unitMetricRecords });
    expect(await values(JANUARY)).toEqual([["2026-01-05T00:00:00Z", 0.3]]);
  });

  it("retains records of other instants, replaces those of the same one, whatever their offset", async () => {
    await create({
      unitMetricRecords: [record("2026-01-05T00:00:00Z", 1), record("2026-01-06T00:00:00Z", 2)],
    });
    await update({
      unitMetricRecords: [record("2026-01-06T05:30:00+05:30", 20), record("2026-01-07T00:00:00Z", 30)],
    });
    expect(await values(JANUARY)).toEqual([
      ["2026-01-05T00:00:00Z", 1],
      ["2026-01-06T00:00:00Z", 20],
      ["2026-01-07T00:00:00Z", 30],
    ]);
  });

  it("takes no two records of one instant at once, and then none of them", async () => {
    await create();
    const unitMetricRecords = [record("2026-01-06T00:00:00Z", 1), record("2026-01-05T19:00:00-05:00", 2)];
    expect(refusal(await update({ unitMetricRecords }))).toEqual([
      400,
      "INVALID_ARGUMENT",
      "unitMetricRecords.1.usageTimeStamp",
    ]);
    expect(await values(JANUARY)).toEqual([]);
  });

  it.each([
    ["2026-01-05T10:20:30.999Z", "2026-01-05T10:20:30Z"],
    ["2026-01-05T10:20:30", "2026-01-05T10:20:30Z"],
    ["2026-01-05T10:20:30.5+01:00", "2026-01-05T09:20:30Z"],
    ["2026-01-05", "2026-01-05T00:00:00Z"],
  ])("takes a record of time %j, in UTC and to the second", async (time, told) => {
    const created = await create({ unitMetricRecords: [record(time, 1)] });
    expect(created.body.data.unitMetricRecords).toEqual([record(told, 1)]);
    expect(await values({ ...JANUARY, from: "2026-01-05T00:00:00Z" })).toHaveLength(1);
  });

  it("takes null for the default of what it aggregates by and of what stands for no records", async () => {
    const nothing = { defaultAggregation: null, handleEmptyValue: null };
    const defaults = { defaultAggregation: "AVG", handleEmptyValue: "LEAVE_BLANK" };
    expect((await create(nothing)).body.data).toMatchObject(defaults);
    await update({ defaultAggregation: "SUM", handleEmptyValue: "ZERO" });
    expect((await update(nothing)).body.data).toMatchObject(defaults);
    expect((await get(JANUARY)).body.data).toMatchObject(defaults);
  });

  it("leaves alone what an update does not say, and clears labels by {}", async () => {
    await create({
      description: "logged in",
      labels: { team: "a", region: "b" },
      defaultAggregation: "MAX",
      handleEmptyValue: "ZERO",
    });
    world.clock.ms += 5000;
    const left = (await update({ metricName: "Members", labels: null, description: null })).body.data;
    expect(left).toMatchObject({
      metricName: "Members",
      description: "logged in",
      labels: { team: "a", region: "b" },
      defaultAggregation: "MAX",
      handleEmptyValue: "ZERO",
      createdAt: START_MS,
      lastUpdatedAt: START_MS + 5000,
    });
    expect((await update({ labels: { team: "c" } })).body.data.labels).toEqual({ team: "c" });
    const cleared = await update({ labels: {}, description: "", defaultAggregation: "MIN" });
    expect(cleared.body.data).toMatchObject({ labels: {}, description: "", defaultAggregation: "MIN" });
    expect((await get(JANUARY)).body.data).toMatchObject({ labels: {}, description: "" });
  });

  it("stays what it is", async () => {
    await create();
    expect(refusal(await update({ type: "DERIVED", fieldId: "cost" }))).toEqual([
      400,
      "UPDATE_NOT_ALLOWED",
      "type",
    ]);
    expect((await update({ type: "MANUAL" })).status).toBe(200);
    expect(refusal(await update({ fieldId: "cost", dataSource: "BILLING" }))).toEqual([
      400,
      "INVALID_ARGUMENT",
      "dataSource",
      "fieldId",
    ]);
  });

  it("refuses a range that ends before it begins, or that has more than 10,000 buckets", async () => {
    await create();
    const backwards = { from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" };
    expect(refusal(await get(backwards))).toEqual([400, "INVALID_ARGUMENT", "endTime"]);
    const long = { from: "1970-01-01T00:00:00Z", to: "1997-05-18T23:59:59Z" }; // 10,000 days
    expect((await get(long)).status).toBe(200);
    expect(refusal(await get({ ...long, to: "1997-05-19T00:00:00Z" }))).toEqual([
      400,
      "INVALID_ARGUMENT",
      "endTime",
    ]);
    expect((await get({ ...long, to: "2161-08-01T00:00:00Z", by: "WEEK" })).status).toBe(200);
  });

  it("takes 10,000 records at once, not more", async () => {
    const unitMetricRecords = Array.from({ length: 10_000 }, (_, index) =>
      record(`${new Date(START_MS + index * 60_000).toISOString().slice(0, 19)}Z`, index),
    );
    expect((await create({ defaultAggregation: "MAX", unitMetricRecords })).status).toBe(200);
    expect((await get(JANUARY)).body.data.total).toBe(9999);
    const more = [...unitMetricRecords, record("2027-01-01T00:00:00Z", 1)];
    expect((await update({ unitMetricRecords: more })).status).toBe(400);
  });
});
