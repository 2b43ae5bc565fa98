import { expect } from "vitest";
import type { anomalies } from "../../src/platform/contract/anomalies.ts";
import { anomalyImport } from "../../src/platform-server/anomalies/import.ts";
import type { Limit, OperationCases, Stage } from "./case.ts";

const DAY_ONE = Date.UTC(2025, 11, 20);
const line = (more: object) =>
  anomalyImport.line.parse({ actualAmount: 150, expectedAmount: 100, cloudProvider: "CLOUD_1", ...more });

const ROWS = [
  line({
    id: "an-1",
    time: DAY_ONE,
    entity: { cloud1Account: "111", aiVendor1Model: "small" },
    tags: { team: "web" },
    costCategoryDetails: [{ costCategory: "Team", costBucket: "Web" }],
    dailyBreakdown: [{ date: DAY_ONE, expectedSpend: 100, actualSpend: 150, unusualSpend: 50 }],
    costPreferences: { amortised: true },
  }),
  line({ id: "an-2", time: DAY_ONE + 1, status: "RESOLVED", statusUpdatedAt: DAY_ONE + 1001 }),
  line({ id: "an-3", time: DAY_ONE, allowListed: true }),
];
const found = (stage: Stage) => stage.import(anomalyImport, ROWS);

/** Every member of the filter, in such a way that both anomalies that are not allow-listed fit. */
const EVERYTHING = {
  anomalyFilterPropertiesDTO: {
    anomalyIds: ["an-1", "an-2", "an-3"],
    timeFilters: [{ operator: "AFTER" as const, timestamp: DAY_ONE }],
    minActualAmount: 150,
    minAnomalousSpend: 50,
    status: ["ACTIVE" as const, "RESOLVED" as const],
    anomalyView: "RESOURCE" as const,
    orderBy: [{ field: "CLOUD_1_ACCOUNT" as const, order: "DESCENDING" as const }],
    k8sClusterNames: [],
    searchText: ["AN-"],
    offset: 0,
    limit: 5,
    filterType: "Anomaly" as const,
  },
  perspectiveQueryDTO: {
    filters: [
      { idFilter: { field: { fieldId: "cloudProvider" }, operator: "IN" as const, values: ["CLOUD_1"] } },
    ],
  },
  showWhitelistedAnomalies: false,
};
const input = { body: EVERYTHING };

const asks = (at: string, limit: Omit<Limit, "at">): Limit => ({
  at: `body.anomalyFilterPropertiesDTO.${at}`,
  ...limit,
});
const LIMITS: readonly Limit[] = [
  asks("limit", { good: [1, 1000], bad: [0, 1001, "5", 1.5] }),
  asks("offset", { good: [0, 7], bad: [-1, "0"] }),
  asks("anomalyIds", { good: [["x".repeat(1024)], null], bad: [[""], ["x".repeat(1025)], "an-1"] }),
  asks("timeFilters.0.operator", {
    good: ["NOT_IN", "IN", "EQUALS", "NOT_NULL", "NULL", "LIKE", "GREATER_THAN", "LESS_THAN"],
    bad: ["SOON", null],
  }),
  asks("timeFilters.0.timestamp", { good: [0, -1], bad: [null, 0.5, "0"] }),
  asks("status.0", { good: ["IGNORED", "ARCHIVED"], bad: ["GONE"] }),
  asks("tags", {
    good: [{ team: "web" }],
    bad: [{ team: 1 }, Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`t${index}`, ""]))],
  }),
  asks("filterType", { good: [null], bad: ["CCMRecommendation"] }),
];
const question = {
  arrange: found,
  input,
  errors: { 400: { input: { body: badPerspective() }, code: "INVALID_ARGUMENT", says: "colour" } },
  limits: LIMITS,
};

function badPerspective() {
  const idFilter = { field: { fieldId: "colour" }, operator: "IN" as const, values: ["red"] };
  return { perspectiveQueryDTO: { filters: [{ idFilter }] } };
}

const counts = (count: number, status: string) => ({ count, costImpact: count * 50, status });
const OVERVIEW = {
  active: counts(1, "ACTIVE"),
  ignored: counts(0, "IGNORED"),
  archived: counts(0, "ARCHIVED"),
  resolved: counts(1, "RESOLVED"),
};
const anomalyId: Limit = {
  at: "query.anomalyId",
  good: ["an-2"],
  bad: ["", "x".repeat(129), "unknown", undefined],
};

/** Cost anomalies (cost management 4.3). */
export const anomalyCases: OperationCases<typeof anomalies> = {
  listAnomalies: {
    ...question,
    expect: ({ data }) => {
      expect(data).toMatchObject([
        {
          id: "an-1",
          cloudProvider: "CLOUD_1",
          entity: { cloud1Account: "111", aiVendor1Model: "small" },
          anomalousSpend: 50,
          tags: { team: "web" },
        },
        { id: "an-2", status: "RESOLVED" },
      ]);
    },
    limits: [
      ...LIMITS,
      asks("orderBy.0.field", { good: ["ANOMALY_ID"], bad: ["COLOUR"] }),
      asks("orderBy.0.order", { good: ["ASCENDING"], bad: ["asc"] }),
    ],
  },
  getAnomalyMetrics: { ...question, expect: ({ data }) => expect(data).toMatchObject(OVERVIEW) },
  getAnomalySummary: {
    ...question,
    expect: ({ data }) => expect(data).toEqual({ count: 2, costImpact: 100, status: null }),
  },
  getAnomalyTimeSeries: {
    ...question,
    expect: ({ data }) => expect(data).toMatchObject({ [`${DAY_ONE}`]: OVERVIEW }),
  },
  getMeanResolutionTime: { ...question, expect: ({ data }) => expect(data).toBe(1000) },
  updateAnomalyFeedback: {
    arrange: found,
    input: { query: { anomalyId: "an-1", feedback: "TRUE_ANOMALY" } },
    expect: ({ data }) => expect(data).toBe(true),
    errors: {
      400: {
        input: { query: { anomalyId: "unknown", feedback: "TRUE_ANOMALY" } },
        code: "RESOURCE_NOT_FOUND",
        says: "no such anomaly",
      },
    },
    limits: [
      anomalyId,
      {
        at: "query.feedback",
        good: ["TRUE_EXPECTED_ANOMALY", "FALSE_ANOMALY", "NOT_RESPONDED"],
        bad: ["MAYBE", undefined],
      },
    ],
  },
  updateAnomalyStatus: {
    arrange: found,
    input: { query: { anomalyId: "an-1", status: "ARCHIVED" } },
    expect: ({ data }) => expect(data).toBe(true),
    errors: {
      400: { input: { query: { status: "ACTIVE" } }, code: "INVALID_ARGUMENT", says: "anomalyId" },
    },
    limits: [
      anomalyId,
      { at: "query.status", good: ["ACTIVE", "IGNORED", "RESOLVED"], bad: ["GONE", undefined] },
    ],
  },
};
