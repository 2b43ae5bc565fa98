import { afterAll, describe, expect, it } from "vitest";
import { ENTITIES } from "../../src/platform/contract/anomalies.ts";
import { usualEngines } from "../world/engines.ts";
import { anomaly, anomalyVerbs } from "./anomalies-verbs.ts";
import { DAY_MS, openPlatform, refusal, START_MS } from "./platform-world.ts";

const DECEMBER = Date.UTC(2025, 11, 1);
/** Another text for each member, so that no filter can be taken for another one. */
const ENTITY = Object.fromEntries(ENTITIES.map(({ member }) => [member, `of ${member}`]));

const LINES = [
  anomaly("full", {
    time: DECEMBER,
    actualAmount: 110.1,
    details: "Ünïcode 100% a,b",
    perspectiveId: "web",
    unitMetricName: "requests",
    anomalyView: "PERSPECTIVE",
    entity: ENTITY,
    tags: { team: "web", 'q"uote': "back\\slash" },
    costCategoryDetails: [
      { costCategory: "Team", costBucket: "Web" },
      { costCategory: "Unit", costBucket: null },
    ],
  }),
  anomaly("early", {
    time: DECEMBER - 1,
    statusUpdatedAt: START_MS - DAY_MS,
    actualAmount: 120.2,
    tags: { team: "db" },
    entity: { cloud1Account: "111" },
  }),
  anomaly("solved", {
    time: START_MS,
    actualAmount: 130.3,
    status: "RESOLVED",
    statusUpdatedAt: START_MS + 5_000,
    entity: { cloud1Account: "111" },
    costCategoryDetails: [{ costCategory: "Team", costBucket: "Data" }],
  }),
  anomaly("timeless", {
    time: null,
    cloudProvider: "CLOUD_3",
    status: "ARCHIVED",
    statusUpdatedAt: START_MS,
  }),
  anomaly("allowed", { time: DECEMBER, allowListed: true, entity: ENTITY }),
];
const ALL = ["solved", "full", "early", "timeless"];

const FITS: readonly [string, object, readonly string[]][] = [
  ...ENTITIES.map(({ member, list }): [string, object, string[]] => [
    list,
    { [list]: ["x", `of ${member}`] },
    ["full"],
  ]),
  ["anomalyIds", { anomalyIds: ["full", "x"] }, ["full"]],
  ["perspectiveIds", { perspectiveIds: ["web"] }, ["full"]],
  ["unitMetricNames", { unitMetricNames: ["requests"] }, ["full"]],
  ["status", { status: ["RESOLVED", "ARCHIVED"] }, ["solved", "timeless"]],
  ["anomalyView", { anomalyView: "PERSPECTIVE" }, ["full"]],
  ["a text in any case, without wildcards", { searchText: ["ÜNÏCODE 100%", "_arl_"] }, ["full"]],
  ["a part of the id", { searchText: ["EARL"] }, ["early"]],
  ["a part of what it is about", { searchText: ["of cloud1Acc"] }, ["full"]],
  ["nothing across two texts", { searchText: ["web requests"] }, []],
  ["a category in any bucket", { costCategories: ["Team"] }, ["solved", "full"]],
  ["a bucket", { costCategoryDTOs: [{ costCategory: "Team", costBucket: "Web" }] }, ["full"]],
  ["a category without a bucket", { costCategoryDTOs: [{ costCategory: "Unit" }] }, ["full"]],
  ["no bucket of another category", { costCategoryDTOs: [{ costCategory: "Unit", costBucket: "Web" }] }, []],
  ["the least actual amount", { minActualAmount: 130.3 }, ["solved", "timeless"]],
  ["the least spend", { minAnomalousSpend: 30.3 }, ["solved", "timeless"]],
  ["all of its tags", { tags: { team: "web", 'q"uote': "back\\slash" } }, ["full"]],
  ["one tag with another value", { tags: { team: "web", 'q"uote': "x" } }, []],
  ["a time", { timeFilters: [{ operator: "AFTER", timestamp: DECEMBER }] }, ["solved", "full"]],
  ["two members together", { costCategories: ["Team"], status: ["ACTIVE"] }, ["full"]],
  ["lists that are empty or null", { k8sNamespaces: [], status: null, tags: null, orderBy: null }, ALL],
];

const field = (fieldId: string, more: object = {}) => ({ fieldId, ...more });
const is = (what: object, ...values: string[]) => ({ idFilter: { field: what, operator: "IN", values } });

describe.each(usualEngines())("a list of anomalies on $name", async (engine) => {
  const verbs = anomalyVerbs(() => world);
  const world = await openPlatform(engine);
  await verbs.bring(...LINES);
  await anomalyVerbs(() => world, "acc-2").bring(...LINES);
  afterAll(() => world.close());

  it.each(FITS)("has those that fit %s, newest first", async (_, filter, expected) => {
    expect(await verbs.ids(filter)).toEqual(expected);
    expect(await verbs.summary({ anomalyFilterPropertiesDTO: filter })).toMatchObject({
      count: expected.length,
    });
  });

  it.each([
    ["nothing", [], ALL],
    ["an account as the service calls it", [is(field("awsUsageaccountid"), "111")], ["solved", "early"]],
    ["a perspective", [{ viewMetadataFilter: { viewId: "web", isPreview: false } }], ["full"]],
  ])("is narrowed by a perspective's query for %s, however it groups", async (_, filters, expected) => {
    const groupBy = [{ entityGroupBy: field("region"), timeTruncGroupBy: { resolution: "HOUR" } }];
    expect(await verbs.ids({}, { perspectiveQueryDTO: { filters, groupBy } })).toEqual(expected);
  });

  it("has allow-listed ones where they are asked for", async () => {
    expect(await verbs.ids({}, { showWhitelistedAnomalies: true })).toEqual([
      "solved",
      "allowed",
      "full",
      "early",
      "timeless",
    ]);
  });

  it.each([
    ["ANOMALY_TIME", "ASCENDING", ["early", "full", "solved", "timeless"]],
    ["ANOMALOUS_SPEND", "DESCENDING", ["timeless", "solved", "early", "full"]],
    ["STATUS", "ASCENDING", ["full", "early", "timeless", "solved"]],
    ["PERSPECTIVE_ID", "DESCENDING", ["full", "solved", "early", "timeless"]],
    ["CLOUD_1_ACCOUNT", "DESCENDING", ["full", "solved", "early", "timeless"]],
  ])("comes in pieces in the order of %s %s, what has no value last", async (name, order, expected) => {
    const orderBy = [{ field: name, order }];
    const pieces = [0, 3, 6].map((offset) => verbs.ids({ orderBy, limit: 3, offset }));
    expect(await Promise.all(pieces)).toEqual([expected.slice(0, 3), expected.slice(3), []]);
  });

  it("is counted by status, by day, and by the time until it was resolved", async () => {
    const counts = (count: number, costImpact: number, status: string) => ({ count, costImpact, status });
    const none = { ignored: counts(0, 0, "IGNORED"), archived: counts(0, 0, "ARCHIVED") };
    const overview = {
      ...{ ...none, active: counts(2, 30.3, "ACTIVE"), resolved: counts(1, 30.3, "RESOLVED") },
      archived: counts(1, 50, "ARCHIVED"),
      ...{ staleAnomalyCount: 1, staleAnomalyThresholdDays: 14 },
    };
    expect(await verbs.metrics()).toEqual(overview);
    expect(await verbs.summary()).toEqual({ count: 4, costImpact: 110.6, status: null });
    const resolved = counts(0, 0, "RESOLVED");
    expect(
      await verbs.timeSeries({ anomalyFilterPropertiesDTO: { anomalyIds: ["early", "timeless"] } }),
    ).toEqual({
      [DECEMBER - DAY_MS]: {
        ...{ ...none, resolved, active: counts(1, 20.2, "ACTIVE") },
        ...{ staleAnomalyCount: 0, staleAnomalyThresholdDays: 14 },
      },
    });
    expect(await verbs.meanResolution()).toBe(5_000);
    expect(await verbs.meanResolution({ anomalyFilterPropertiesDTO: { status: ["ACTIVE"] } })).toBeNull();
  });

  const groups = async (filter: object) =>
    (await verbs.list(filter)).map(
      // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what is tested
      ({ entity, status, anomalyCount, aggregations }: any) => [
        entity.cloud1Account ?? status,
        anomalyCount,
        ...aggregations.map(({ value }: { value: number | null }) => value),
      ],
    );

  it("comes in groups, with what is asked of each", async () => {
    const filter = {
      groupBy: [{ groupByField: "CLOUD_1_ACCOUNT" }],
      aggregations: [
        { operationType: "SUM", field: "ACTUAL_COST" },
        { operationType: "AVG", field: "ANOMALOUS_SPEND" },
        { operationType: "MAX", field: "ANOMALOUS_SPEND" },
        { operationType: "MIN", field: "ANOMALOUS_SPEND" },
        { operationType: "COUNT", field: "ANOMALY_TIME" },
        { operationType: "COUNT", field: "PERSPECTIVE_ID" },
      ],
    };
    const expected = [
      ["111", 2, 250.5, 25.25, 30.3, 20.2, 2, 0],
      ["of cloud1Account", 1, 110.1, 10.1, 10.1, 10.1, 1, 1],
      [null, 1, 150, 50, 50, 50, 0, 0],
    ];
    expect(await groups(filter)).toEqual(expected);
    const spend = (order: string) => ({ ...filter, orderBy: [{ field: "ACTUAL_COST", order }] });
    expect(await groups(spend("ASCENDING"))).toEqual([expected[1], expected[2], expected[0]]);
    expect(await groups({ ...spend("DESCENDING"), offset: 1, limit: 1 })).toEqual([expected[2]]);
    const [first] = await verbs.list(filter);
    expect(first.aggregations[0]).toEqual({ operationType: "SUM", field: "ACTUAL_COST", value: 250.5 });
    expect(first).toMatchObject({ id: null, time: null, status: null, tags: {} });
  });

  it("is one group when only numbers are asked for", async () => {
    const aggregations = [{ operationType: "SUM", field: "ANOMALOUS_SPEND" }];
    expect(await groups({ anomalyIds: ["full", "solved"], aggregations })).toEqual([[null, 2, 40.4]]);
    expect(await groups({ anomalyIds: ["none"], aggregations })).toEqual([[null, 0, null]]);
  });

  it.each([
    [{ aggregations: [{ operationType: "SUM", field: "STATUS" }] }, "aggregations.0.field"],
    [{ groupBy: [{ groupByField: "STATUS" }], orderBy: [{ field: "ANOMALY_ID" }] }, "orderBy.0.field"],
  ])("is refused for %j", async (filter, member) => {
    const answer = await verbs.ask("/list", { anomalyFilterPropertiesDTO: filter });
    expect(refusal(answer)).toEqual([400, "INVALID_ARGUMENT", `anomalyFilterPropertiesDTO.${member}`]);
  });

  it("takes half characters from imports and requests without falling over", async () => {
    await verbs.bring(anomaly("half", { details: "x\ud800y", tags: { "\udc00": "\ud800" } }));
    const half = { searchText: ["x\ud800y"], tags: { "\udc00": "\ud800" } };
    expect(await verbs.ids(half)).toEqual(["half"]);
    expect(world.errors).toEqual([]);
  });
});
