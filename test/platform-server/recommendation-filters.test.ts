import { afterAll, describe, expect, test } from "vitest";
import { usualEngines } from "../world/engines.ts";
import { DAY_MS, openPlatform, START_MS } from "./platform-world.ts";
import { asks, found, imports, list, recommendation } from "./recommendation-verbs.ts";

const APPLIED_AT = START_MS - 3 * DAY_MS;
const LINES = [
  recommendation("full", {
    resourceType: "EC2_INSTANCE",
    recommendationState: "APPLIED",
    verificationStatus: "INFERRED_APPLIED",
    cloudProvider: "CLOUD_1",
    cloudAccountId: "111",
    cloudAccountName: "production",
    targetRegion: "eu-1",
    clusterName: "blue",
    namespace: "shop",
    resourceName: "cart",
    resourceId: "i-1",
    cloud2ResourceGroup: "group",
    instanceType: "m5",
    csClusterName: "ecs",
    csLaunchType: "FARGATE",
    governanceRuleName: "rule",
    perspectiveId: "web",
    appliedByUserName: "ada",
    monthlySaving: 10,
    monthlyCost: 20.5,
    appliedAt: APPLIED_AT,
    createdAt: START_MS - 40 * DAY_MS,
    lastProcessedAt: START_MS - 2 * DAY_MS,
    updatedAt: START_MS - DAY_MS,
    tags: { team: "web", env: "prod" },
    costCategoryDetails: [
      { costCategory: "unit", costBucket: "shop" },
      { costCategory: "unit", costBucket: "data" },
    ],
  }),
  recommendation("small", {
    instanceType: "t3",
    resourceName: "Cart",
    monthlySaving: 0.1,
    tags: { team: "data" },
  }),
  recommendation("second", {
    ...{ cloudProvider: "CLOUD_2", instanceType: "t3", cloud2ResourceGroup: "rg", monthlySaving: 10 },
    createdAt: START_MS - 31 * DAY_MS,
  }),
  recommendation("bare", { resourceName: "ä" }),
  recommendation("ignored", { recommendationState: "IGNORED", monthlySaving: 99, instanceType: "t3" }),
];
const OPEN = ["second", "small", "bare"];

const k8s = (members: object) => ({ k8sRecommendationFilterPropertiesDTO: members });
const base = (members: object) => ({ baseRecommendationFilterPropertiesDTO: members });
const container = (members: object) => ({ containerRecommendationFilterPropertiesDTO: members });
const is = (field: object, operator: string, ...values: string[]) => ({
  perspectiveFilters: [{ idFilter: { field, operator, values } }],
});
const unit = { fieldId: "businessMapping", fieldName: "unit" };

/** Members of which the first recommendation alone has the value. */
const ITS_OWN: readonly [string, object][] = [
  ["k8s ids", k8s({ ids: ["full", "none"] })],
  ["k8s names", k8s({ names: ["cart"] })],
  ["k8s namespaces", k8s({ namespaces: ["shop"] })],
  ["k8s clusterNames", k8s({ clusterNames: ["blue", "green"] })],
  ["k8s resourceTypes", k8s({ resourceTypes: ["EC2_INSTANCE"] })],
  ["k8s recommendationStates", k8s({ recommendationStates: ["APPLIED"] })],
  ["k8s cloudProvider", k8s({ cloudProvider: "CLOUD_1" })],
  ["k8s cloudProvider in a list", k8s({ cloudProvider: ["CLOUD_1", "CLUSTER"] })],
  ["k8s regions", k8s({ regions: ["eu-1"] })],
  ["a container's cluster", container({ k8sClusterName: ["blue"] })],
  ["a container's namespace", container({ k8sNamespace: ["shop"] })],
  ["a container service's cluster", container({ csClusterName: ["ecs"] })],
  ["a container service's launch type", container({ csLaunchType: ["FARGATE"] })],
  ["a governance rule", { governanceRecommendationFilterPropertiesDTO: { governanceRuleName: ["rule"] } }],
  ["id", base({ id: ["full"] })],
  ["cloudAccountId", base({ cloudAccountId: ["111"] })],
  ["cloudAccountName", base({ cloudAccountName: ["production"] })],
  ["resourceId", base({ resourceId: ["i-1"] })],
  ["resourceName", base({ resourceName: ["cart"] })],
  ["region", base({ region: ["eu-1"] })],
  ["resourceType", base({ resourceType: ["EC2_INSTANCE"] })],
  ["recommendationState", base({ recommendationState: ["APPLIED"] })],
  ["cloudProvider", base({ cloudProvider: ["CLOUD_1"] })],
  ["appliedByUserName", base({ appliedByUserName: ["ada"] })],
  ["verificationStatus", base({ verificationStatus: ["INFERRED_APPLIED"] })],
  ["perspectiveId", base({ perspectiveId: ["web"] })],
  ["applied at the time or later", base({ appliedAtStartTime: APPLIED_AT })],
  ["applied at the time or earlier", base({ appliedAtEndTime: APPLIED_AT })],
  ["a cost above the limit", { minCost: 20.4 }],
  ["the time of its processing, not its creation", { daysBack: 2 }],
  ["one of two values of a tag", { tagDTOs: ["web", "x"].map((value) => ({ key: "team", value })) }],
  ["a bucket of a cost category", { costCategoryDTOs: [{ costCategory: "unit", costBucket: "data" }] }],
  ["all of the tags", { tags: { team: "web", env: "prod" } }],
  ["a perspective that a filter names", { perspectiveFilters: [{ viewMetadataFilter: { viewId: "web" } }] }],
  ["a label of any bucket", is(unit, "NOT_NULL")],
  ["a label with one of its buckets", is(unit, "IN", "data")],
];

const FINDS: readonly [string, object, readonly string[]][] = [
  ["lists that are empty or null", { ...k8s({ names: [], ids: null }), ...base({}) }, ["full", ...OPEN]],
  ["two members that never fit together", { ...k8s({ names: ["cart"] }), ...base({ region: ["us-1"] }) }, []],
  [
    "an instance type of the first cloud",
    { cloud1RecommendationFilterPropertiesDTO: { instanceType: ["t3"] } },
    ["small"],
  ],
  [
    "an instance type of the second cloud",
    { cloud2RecommendationFilterProperties: { instanceType: ["t3"] } },
    ["second", "small"],
  ],
  [
    "a resource group",
    { cloud2RecommendationFilterProperties: { resourceGroup: ["rg", "group"] } },
    ["second"],
  ],
  ["a cost that is the limit", { minCost: 20.5 }, []],
  ["a saving above the limit, exactly", { minSaving: 0.1 }, ["full", "second"]],
  ["31 days, the moment included", { daysBack: 31 }, ["full", "second"]],
  ["an application before it", base({ appliedAtEndTime: APPLIED_AT - 1 }), []],
  [
    "tags of two keys",
    {
      tagDTOs: [
        { key: "team", value: "data" },
        { key: "env", value: "prod" },
      ],
    },
    [],
  ],
  ["one tag with another value", { tags: { team: "web", env: "test" } }, []],
  ["ignored ones too", { includeIgnoredRecommendation: true }, ["ignored", "full", ...OPEN]],
  ["ignored ones by name", k8s({ recommendationStates: ["IGNORED"] }), ["ignored"]],
  ["a bucket that it has not", is(unit, "NOT_IN", "data"), OPEN],
  ["a missing label", is(unit, "NULL"), OPEN],
];

/** By the field's id, what the first recommendation has. */
const FIELDS: Readonly<Record<string, string>> = {
  cloudProvider: "CLOUD_1",
  cloudAccountId: "111",
  cloudAccountName: "production",
  region: "eu-1",
  clusterName: "blue",
  namespace: "shop",
  workloadName: "cart",
  resourceName: "cart",
  resourceId: "i-1",
  resourceType: "EC2_INSTANCE",
  resourceGroup: "group",
  instanceType: "m5",
  csClusterName: "ecs",
  csLaunchType: "FARGATE",
  governanceRuleName: "rule",
  perspectiveId: "web",
  recommendationState: "APPLIED",
  verificationStatus: "INFERRED_APPLIED",
  appliedByUserName: "ada",
};
const TIMES: Readonly<Record<string, number>> = {
  startTime: START_MS - 2 * DAY_MS,
  lastProcessedAt: START_MS - 2 * DAY_MS,
  appliedAt: APPLIED_AT,
  updatedAt: START_MS - DAY_MS,
};

describe.each(usualEngines())("filters of recommendations on $name", async (engine) => {
  const world = await openPlatform(engine);
  await imports(world, LINES);
  await imports(world, LINES, "acc-2");
  afterAll(() => world.close());

  test.each(ITS_OWN)("find the one with this value: %s", async (_, filter) => {
    expect(await found(world, filter)).toEqual(["full"]);
  });

  test.each(FINDS)("find what fits %s", async (_, filter, ids) => {
    expect(await found(world, filter)).toEqual(ids);
  });

  test("name every supported field of a perspective", async () => {
    for (const [fieldId, value] of Object.entries(FIELDS))
      expect([fieldId, await found(world, is({ fieldId }, "IN", value))]).toEqual([fieldId, ["full"]]);
    for (const [fieldId, value] of Object.entries(TIMES)) {
      const since = (ms: number) => ({
        perspectiveFilters: [{ timeFilter: { field: { fieldId }, operator: "AFTER", value: ms } }],
      });
      expect([fieldId, await found(world, since(value))]).toEqual([fieldId, ["full"]]);
      expect([fieldId, await found(world, since(value + 1))]).toEqual([fieldId, []]);
    }
    const { body } = await asks(world, "GET /overview/supported-filters");
    const labels = ["labels.value", "businessMapping", "createdAt"];
    expect(body.data).toEqual([...Object.keys(FIELDS), ...Object.keys(TIMES), ...labels].sort());
  });

  test.each([
    ["MONTHLY_SAVING", "ASCENDING", ["small", "full", "second", "bare"]],
    ["MONTHLY_COST", "DESCENDING", ["full", "bare", "second", "small"]],
    ["APPLIED_AT", "ASCENDING", ["full", "bare", "second", "small"]],
    ["RESOURCE_TYPE", "DESCENDING", ["bare", "second", "small", "full"]],
  ])(
    "leave the order to %s %s, unknown values last and equal ones by their id",
    async (sortBy, sortOrder, ids) => {
      expect(await found(world, { sortBy, sortOrder })).toEqual(ids);
      expect(await found(world, { sortBy, sortOrder, offset: 1, limit: 2 })).toEqual(ids.slice(1, 3));
    },
  );

  test("say which values a column has, and how many recommendations fit on all pages", async () => {
    const filter = { offset: 1, limit: 1, ...k8s({ resourceTypes: ["WORKLOAD", "EC2_INSTANCE"] }) };
    const json = { columns: ["name", "resourceType"], filter };
    expect((await asks(world, "POST /overview/filter-values", { json })).body.data).toEqual([
      { key: "name", values: ["Cart", "cart", "ä"] },
      { key: "resourceType", values: ["EC2_INSTANCE", "WORKLOAD"] },
    ]);
    expect((await asks(world, "POST /overview/count", { json: filter })).body.data).toBe(4);
    expect((await list(world, filter)).body.data.items).toHaveLength(1);
  });
});
