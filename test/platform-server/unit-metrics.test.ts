import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT, DAY_MS, openPlatform, refusal, START_MS } from "./platform-world.ts";
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

  it.each([
    ["DAY", "2024-02-29T23:59:59Z", "2024-02-29"],
    ["DAY", "2025-03-30T00:30:00+02:00", "2025-03-29"],
    ["DAY", "2025-10-04T23:30:00-03:30", "2025-10-05"],
    ["WEEK", "2026-01-01T00:00:00Z", "2025-12-29"],
    ["WEEK", "2024-12-30T00:00:00Z", "2024-12-30"],
    ["WEEK", "2027-01-03T23:59:59Z", "2026-12-28"],
    ["MONTH", "2024-02-29T23:59:59Z", "2024-02-01"],
    ["MONTH", "2100-03-01T00:00:00+05:45", "2100-02-01"],
    ["MONTH", "2025-12-31T23:00:00-01:00", "2026-01-01"],
  ])("puts into a %s of the calendar in UTC what was recorded at %s", async (by, at, bucket) => {
    await create({ unitMetricRecords: [record(at, 7)] });
    const now = new Date(at).getTime();
    const [from, to] = [-DAY_MS, DAY_MS].map((ms) => new Date(now + ms).toISOString());
    expect(await values({ from: `${from}`, to: `${to}`, by })).toEqual([[`${bucket}T00:00:00Z`, 7]]);
  });

  it.each([
    ["AVG", "LEAVE_BLANK", [["04", 20]]],
    [
      "MAX",
      "ZERO",
      [
        ["02", 0],
        ["03", 0],
        ["04", 30],
      ],
    ],
    [
      "AVG",
      "PREVIOUS_VALUE",
      [
        ["02", 3],
        ["03", 3],
        ["04", 20],
      ],
    ],
    [
      "SUM",
      "PREVIOUS_VALUE",
      [
        ["02", 6],
        ["03", 6],
        ["04", 40],
      ],
    ],
    [
      "MIN",
      "PREVIOUS_VALUE",
      [
        ["02", 2],
        ["03", 2],
        ["04", 10],
      ],
    ],
  ] as const)(
    "computes the %s of what lies in the range, and fills gaps by %s",
    async (how, gaps, expected) => {
      const records = [
        ["01T00", 2],
        ["01T12", 4],
        ["04T00", 10],
        ["04T12", 30],
        ["04T13", 100],
      ] as const;
      await create({
        ...{ defaultAggregation: how, handleEmptyValue: gaps },
        unitMetricRecords: records.map(([at, value]) => record(`2026-01-${at}:00:00Z`, value)),
      });
      const range = { from: "2026-01-02T00:00:00Z", to: "2026-01-04T12:00:00Z" };
      expect(await values(range)).toEqual(
        expected.map(([day, value]) => [`2026-01-${day}T00:00:00Z`, value]),
      );
      expect(await values({ ...range, from: "2026-01-01T13:00:00Z", to: "2026-01-01T23:00:00Z" })).toEqual(
        gaps === "LEAVE_BLANK" ? [] : [["2026-01-01T00:00:00Z", gaps === "ZERO" ? 0 : expected[0][1]]],
      );
      const empty = await get({ from: "2025-01-01T00:00:00Z", to: "2025-01-02T00:00:00Z" });
      expect(empty.body.data).toMatchObject({ total: null });
      expect(empty.body.data.unitMetricRecords).toHaveLength(gaps === "ZERO" ? 2 : 0);
    },
  );

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
