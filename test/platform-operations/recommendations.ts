import { expect } from "vitest";
import { recommendations } from "../../src/platform/contract/recommendations.ts";
import { recommendationsImport } from "../../src/platform-server/recommendations/import.ts";
import type { ErrorCase, Limit, OperationCases, Stage } from "./case.ts";

const line = (id: string, over: object = {}) =>
  recommendationsImport.line.parse({ id, resourceType: "WORKLOAD", ...over });

const INSTANCE = "arn:aws:ec2:us-east-1:123456789012:instance/i-0a1b2c3d";
const two = (stage: Stage) =>
  stage.import(recommendationsImport, [
    line("web", {
      monthlySaving: 12.5,
      monthlyCost: 40,
      cloudProvider: "CLOUD_1",
      resourceName: "web",
      namespace: "shop",
      clusterName: "prod",
      verificationStatus: "INFERRED_PENDING_REVIEW",
      tags: { team: "web" },
    }),
    line("vm", {
      resourceType: "EC2_INSTANCE",
      resourceId: INSTANCE,
      recommendationState: "APPLIED",
      monthlySaving: 100,
      appliedAt: 1_767_000_000_000,
      tags: { team: "data" },
    }),
  ]);

const UNKNOWN = { code: "RESOURCE_NOT_FOUND", says: "no such recommendation" } as const;

const wrongField = {
  perspectiveFilters: [{ idFilter: { field: { fieldId: "nothing" }, operator: "NULL" as const } }],
};
/** Every filter is refused alike, wherever it stands. */
const refused = { code: "INVALID_ARGUMENT", says: "has no field nothing" } as const;

const filterLimits = (at: string): readonly Limit[] => [
  { at: `${at}.limit`, good: [1, 1000, null], bad: [0, 1001, -1, 1.5, "10"] },
  { at: `${at}.offset`, good: [0, 1_000_000_000], bad: [-1, 1_000_000_001] },
  { at: `${at}.sortBy`, good: ["MONTHLY_SAVING", "MONTHLY_COST", "APPLIED_AT", "RESOURCE_TYPE"] },
  { at: `${at}.minSaving`, good: [-1, 0.5], bad: ["1", 1e13] },
  { at: `${at}.daysBack`, good: [36_500], bad: [-1, 36_501] },
  { at: `${at}.tagDTOs`, good: [[]], bad: [Array.from({ length: 101 }, () => ({ key: "a", value: "b" }))] },
];
const PAGE = {
  limit: 10,
  offset: 0,
  sortBy: "MONTHLY_SAVING",
  sortOrder: "DESCENDING",
  filterType: "CCMRecommendation",
  minSaving: 0,
  daysBack: null,
  tagDTOs: null,
} as const;

const state = async (stage: Stage, id: string) => {
  const all = await stage.call(recommendations.listRecommendations, { body: { limit: 1000 } });
  return all.data.items.find((item) => item.id === id);
};

/** Cases of recommendations (cost management 4.2). */
export const recommendationCases: OperationCases<typeof recommendations> = {
  listRecommendations: {
    arrange: two,
    input: { body: PAGE },
    expect: ({ status, data }) => {
      expect(status).toBe("SUCCESS");
      expect(data).toMatchObject({ offset: 0, limit: 10 });
      expect(data.items.map(({ id }) => id)).toEqual(["vm", "web"]);
      expect(data.items[1]).toMatchObject({
        cloudProvider: "CLOUD_1",
        monthlySaving: 12.5,
        tags: { team: "web" },
      });
    },
    errors: {
      400: { input: { body: wrongField }, ...refused } satisfies ErrorCase<
        typeof recommendations.listRecommendations
      >,
    },
    limits: filterLimits("body"),
  },
  countRecommendations: {
    arrange: two,
    input: { body: { ...PAGE, minSaving: 50 } },
    expect: ({ data }) => expect(data).toBe(1),
    errors: { 400: { input: { body: wrongField }, ...refused } },
    limits: filterLimits("body"),
  },
  getAppliedStats: {
    arrange: two,
    input: { body: {} },
    expect: ({ data }) =>
      expect(data).toEqual([{ resourceType: "EC2_INSTANCE", count: 1, totalMonthlySaving: 100 }]),
    errors: { 400: { input: { body: wrongField }, ...refused } },
  },
  listFilterValues: {
    arrange: two,
    input: { body: { columns: ["name", "clusterName"], filter: { minSaving: 1 } } },
    expect: ({ data }) =>
      expect(data).toEqual([
        { key: "name", values: ["web"] },
        { key: "clusterName", values: ["prod"] },
      ]),
    errors: { 400: { input: { body: { columns: [], filter: wrongField } }, ...refused } },
    limits: [
      {
        at: "body.columns",
        good: [["name", "resourceType", "namespace", "clusterName"], []],
        bad: [["cost"], "name", Array.from({ length: 101 }, () => "name")],
      },
    ],
  },
  listSupportedFilters: {
    input: {},
    expect: ({ data }) => expect(data).toContain("region"),
    errors: {},
  },
  findIacRecommendations: {
    arrange: two,
    input: {
      body: {
        resources: [
          { provider: "registry.terraform.io/hashicorp/aws", type: "aws_instance", resourceId: INSTANCE },
          { provider: "aws", type: "aws_instance", resourceId: "i-ffffffff" },
        ],
        states: ["APPLIED"],
      },
    },
    expect: ({ data }) =>
      expect(data.resources).toMatchObject([
        { resourceId: INSTANCE, status: "SUCCESS", message: null, recommendations: [{ id: "vm" }] },
        { resourceId: "i-ffffffff", status: "NO_RECOMMENDATIONS", recommendations: [] },
      ]),
    errors: {},
    limits: [
      { at: "body.states", good: [[], ["OPEN", "IGNORED"], null], bad: [["DONE"], "OPEN"] },
      {
        at: "body.resources",
        good: [[]],
        bad: [Array.from({ length: 1001 }, () => ({ provider: "a", type: "a", resourceId: "a" }))],
      },
      { at: "body.resources.0.resourceId", good: ["x".repeat(2048)] },
    ],
  },
  changeRecommendationState: {
    arrange: two,
    input: { query: { recommendationId: "web", state: "APPLIED" }, body: { appliedSavings: 11 } },
    expect: async ({ data }, stage) => {
      expect(data).toBeNull();
      expect(await state(stage, "web")).toMatchObject({
        recommendationState: "APPLIED",
        appliedAtSavings: 11,
      });
    },
    errors: {
      400: { input: { query: { recommendationId: "none", state: "OPEN" }, body: {} }, ...UNKNOWN },
    },
    limits: [
      { at: "query.state", good: ["OPEN", "APPLIED"], bad: ["IGNORED", "TEMPORARILY_IGNORED", "open", ""] },
      { at: "body.appliedSavings", good: [0, 1e12, null], bad: [-1, 1e13, "11"] },
    ],
  },
  changeInferenceStatus: {
    arrange: two,
    input: {
      body: { recommendationId: "web", verificationStatus: "INFERRED_APPLIED", comment: "seen in the bill" },
    },
    expect: async (_, stage) =>
      expect((await state(stage, "web"))?.verificationStatus).toBe("INFERRED_APPLIED"),
    errors: {
      400: {
        input: { body: { recommendationId: "none", verificationStatus: "INFERRED_APPLIED" } },
        ...UNKNOWN,
      },
    },
    limits: [
      { at: "body.comment", good: ["x", "x".repeat(100)], bad: ["", "x".repeat(101)] },
      {
        at: "body.verificationStatus",
        good: ["INFERRED_REJECTED", "INFERRED_PENDING_REVIEW"],
        bad: ["MANUAL_PENDING_EVALUATION", "MANUAL_APPLIED_FETCHED", "VERIFIED", null],
      },
    ],
  },
  overrideSavings: {
    arrange: two,
    input: { query: { recommendationId: "web", overriddenSavings: 20.5 } },
    expect: async ({ data }, stage) => {
      expect(data).toBe(true);
      expect((await state(stage, "web"))?.overriddenSavings).toBe(20.5);
    },
    errors: { 400: { input: { query: { recommendationId: "none", overriddenSavings: 1 } }, ...UNKNOWN } },
    limits: [
      {
        at: "query.overriddenSavings",
        good: ["0", "1e3", "0.01"],
        bad: ["-1", "", "x", "1e13", "1e400", "0x10", " 1"],
      },
    ],
  },
  getRecommendationTags: {
    arrange: two,
    input: { query: { recommendationId: "web" } },
    expect: ({ data }) => expect(data).toEqual({ recommendationId: "web", tags: { team: "web" } }),
    errors: { 400: { input: { query: { recommendationId: "none" } }, ...UNKNOWN } },
  },
  listTagFilterPanel: {
    arrange: two,
    input: { query: { tagKey: "team", search: "A", limit: 10, offset: 0 } },
    expect: ({ data }) => expect(data).toEqual(["data"]),
    errors: {},
    limits: [
      { at: "query.limit", good: ["1", "100"] },
      { at: "query.offset", good: ["0", "2147483647"] },
      { at: "query.search", good: ["x".repeat(256)] },
      { at: "query.tagKey", good: ["x".repeat(256)] },
    ],
  },
};
