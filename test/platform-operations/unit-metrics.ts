import { expect } from "vitest";
import {
  createUnitMetric,
  getUnitMetric,
  type unitMetrics,
} from "../../src/platform/contract/unit-metrics.ts";
import { billingImport, perspectivesImport } from "../../src/platform-server/unit-metrics/import.ts";
import type { Limit, OperationCases, Stage } from "./case.ts";

const JANUARY = { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-31T23:59:59Z" };
const USERS = {
  metricIdentifier: "users",
  metricName: "Users",
  labels: { team: "web" },
  unitMetricRecords: [
    { value: 2, usageTimeStamp: "2026-01-05T00:00:00Z" },
    { value: 4.5, usageTimeStamp: "2026-01-05T13:00:00+01:00" },
  ],
};
const SPEND = {
  metricIdentifier: "spend",
  metricName: "Spend",
  type: "DERIVED",
  fieldId: "cost",
  columnAggregation: "SUM",
} as const;
const row = (id: string, cost: string, cloudProvider: string) =>
  billingImport.line.parse({ id, cost, cloudProvider, startTime: "2026-01-05T00:00:00Z", currency: "USD" });
const rules = [
  { conditions: [{ field: { fieldId: "cloudProvider" }, operator: "NOT_IN", values: ["CLOUD_3"] }] },
];
const shop = { id: "shop", name: "Shop", rules, unitMetrics: ["spend"] };

const uploaded = (stage: Stage) => stage.call(createUnitMetric, { body: USERS });
const derived = async (stage: Stage) => {
  await stage.call(createUnitMetric, { body: SPEND });
  await stage.import(billingImport, [
    row("a", "1.5", "CLOUD_1"),
    row("b", "2", "CLOUD_2"),
    row("c", "4", "CLOUD_3"),
  ]);
  await stage.import(perspectivesImport, [perspectivesImport.line.parse(shop)]);
};

const NO_TIMES = [
  "2026-02-29T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:00:60Z",
  "2026-01-01T00:00:00+0100",
  "2026-01-01T00:00:00+24:00",
  "2026-01-01t00:00:00z",
  "1969-12-31T23:59:59Z",
  "9999-12-31T23:59:59-00:01",
  "now",
  "",
];
/** Of ranges, records and bills alike. */
const TIMES: Required<Pick<Limit, "good" | "bad">> = {
  good: [
    "2026-01-01T00:00:00+14:00",
    "2024-02-29T00:00:00-00:00",
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T00:00:00.25+01:00",
    "2026-01-01T00:00:00",
    "2026-01-01T00:00Z",
    "2026-01-01T00:00",
    "2026-01-01",
  ],
  bad: NO_TIMES,
};
const END: Limit = { at: "query.endTime", good: ["2026-01-31", "2026-01-31T23:59"], bad: TIMES.bad };
const TEXT_256 = { good: ["x".repeat(256)], bad: ["x".repeat(257)] };
const labels = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`label-${n}`, "x"]));
const range: readonly Limit[] = [
  { at: "query.startTime", ...TIMES },
  END,
  { at: "query.timeTruncGroupBy", good: ["DAY", "WEEK", "MONTH"] },
];
const body: readonly Limit[] = [
  { at: "body.metricName", ...TEXT_256 },
  {
    at: "body.labels",
    good: [labels(128), {}, null],
    bad: [labels(129), { ["k".repeat(257)]: "" }, { k: "v".repeat(257) }],
  },
  { at: "body.description", good: ["d".repeat(1000)], bad: ["d".repeat(1001)] },
  { at: "body.defaultAggregation", good: ["AVG", "MIN", "MAX", "SUM", null], bad: ["MEDIAN"] },
  { at: "body.handleEmptyValue", good: ["LEAVE_BLANK", "PREVIOUS_VALUE", "ZERO", null], bad: ["NEXT_VALUE"] },
  { at: "body.unitMetricRecords.0.usageTimeStamp", ...TIMES },
  { at: "body.unitMetricRecords.0.value", good: [1e15, -1e15, 0.000001], bad: [1e16, "1", null] },
];

export const unitMetricCases: OperationCases<typeof unitMetrics> = {
  getUnitMetric: {
    arrange: uploaded,
    input: { query: { metricIdentifier: "users", ...JANUARY } },
    expect: ({ status, data }, { account }) => {
      expect(status).toBe("SUCCESS");
      expect(data).toMatchObject({
        accountId: account,
        labels: { team: "web" },
        unitMetricRecords: [{ value: 3.25, usageTimeStamp: "2026-01-05T00:00:00Z" }],
        total: 3.25,
      });
    },
    errors: {
      400: { input: { query: { metricIdentifier: "others", ...JANUARY } }, code: "RESOURCE_NOT_FOUND" },
    },
    limits: range,
  },
  createUnitMetric: {
    input: { body: USERS },
    expect: ({ data }, { clock }) =>
      expect(data).toMatchObject({
        type: "MANUAL",
        defaultAggregation: "AVG",
        createdAt: clock.ms,
        unitMetricRecords: [{ value: 2 }, { value: 4.5, usageTimeStamp: "2026-01-05T12:00:00Z" }],
      }),
    errors: { 400: { arrange: uploaded, input: { body: USERS }, code: "RESOURCE_ALREADY_EXISTS" } },
    limits: [{ at: "body.metricIdentifier", good: ["i".repeat(128)] }, ...body],
  },
  updateUnitMetric: {
    arrange: uploaded,
    input: {
      body: {
        ...USERS,
        metricName: "Members",
        unitMetricRecords: [{ value: 9, usageTimeStamp: "2026-01-05T00:00:00Z" }],
      },
    },
    expect: async ({ data }, stage) => {
      expect(data).toMatchObject({ metricName: "Members", labels: { team: "web" } });
      const read = await stage.call(getUnitMetric, { query: { metricIdentifier: "users", ...JANUARY } });
      expect(read.data.total).toBe(6.75);
    },
    errors: {
      400: { input: { body: { ...USERS, type: "DERIVED", fieldId: "cost" } }, code: "UPDATE_NOT_ALLOWED" },
    },
    limits: body,
  },
  deleteUnitMetric: {
    arrange: uploaded,
    input: { query: { identifier: "users", ...JANUARY, deleteCompleteMetric: false } },
    expect: async ({ data }, stage) => {
      expect(data).toBe(true);
      const read = await stage.call(getUnitMetric, { query: { metricIdentifier: "users", ...JANUARY } });
      expect(read.data.unitMetricRecords).toEqual([]);
    },
    errors: {
      400: {
        arrange: derived,
        input: { query: { identifier: "spend", deleteCompleteMetric: true } },
        code: "DELETE_NOT_ALLOWED",
      },
    },
    limits: [
      { at: "query.startTime", ...TIMES, bad: [...NO_TIMES, undefined] },
      { ...END, bad: [...NO_TIMES, undefined] },
      { at: "query.deleteCompleteMetric", good: ["true", undefined], bad: ["yes"] },
    ],
  },
  readPerspectiveMetric: {
    arrange: derived,
    input: {
      params: { perspectiveId: "shop" },
      query: { metricIdentifier: "spend", ...JANUARY, overrideFilter: true },
      body: [
        { idFilter: { field: { fieldId: "cloudProvider" }, operator: "IN", values: ["CLOUD_2", "CLOUD_3"] } },
      ],
    },
    expect: async ({ data }) => expect(data).toMatchObject({ fieldId: "cost", total: 6 }),
    errors: {
      400: {
        input: {
          params: { perspectiveId: "gone" },
          query: { metricIdentifier: "spend", ...JANUARY },
          body: [],
        },
        code: "RESOURCE_NOT_FOUND",
      },
    },
    limits: [
      ...range,
      { at: "query.overrideFilter", good: ["false", undefined], bad: ["1"] },
      { at: "body", good: [[], Array(100).fill({})], bad: [Array(101).fill({}), {}, null] },
      { at: "body.0.idFilter.operator", good: ["NULL", "SEARCH"], bad: ["AFTER"] },
    ],
  },
  listUnitMetrics: {
    arrange: async (stage) => {
      await uploaded(stage);
      await derived(stage);
    },
    input: {
      query: { searchKey: "USE", sortType: "METRIC_NAME", sortOrder: "ASCENDING", pageSize: 20, pageNo: 0 },
    },
    expect: ({ data }) => {
      expect(data.totalCount).toBe(1);
      expect(data.unitMetrics).toMatchObject([{ metricIdentifier: "users" }]);
      expect(data.unitMetrics[0]).not.toHaveProperty("unitMetricRecords");
    },
    errors: {},
    limits: [
      { at: "query.pageSize", good: ["1", "100", undefined] },
      { at: "query.pageNo", good: ["0", "1000000", undefined] },
      { at: "query.sortType", good: ["LAST_UPDATED_AT", undefined] },
      { at: "query.sortOrder", good: ["DESCENDING", undefined] },
    ],
  },
};
