import { afterAll, describe, expect, it } from "vitest";
import { createPlatformClient } from "../../src/platform/client.ts";
import { anomalies } from "../../src/platform/contract/anomalies.ts";
import { readItems } from "../../src/platform/list-pages.ts";
import { usualEngines } from "../world/engines.ts";
import { anomaly, anomalyVerbs } from "./anomalies-verbs.ts";
import { ACCOUNT, openPlatform, refusal, START_MS } from "./platform-world.ts";

const DECEMBER = Date.UTC(2025, 11, 1);

const FOUND = [
  anomaly("a", {
    time: DECEMBER,
    actualAmount: 110.1,
    entity: { cloud1Account: "111", k8sNamespace: "prod" },
    tags: { team: "web" },
    costCategoryDetails: [{ costCategory: "Team", costBucket: "Web" }],
  }),
  anomaly("b", {
    time: DECEMBER - 1,
    actualAmount: 120.2,
    entity: { cloud1Account: "111" },
    tags: { team: "db" },
  }),
  anomaly("c", { time: START_MS, actualAmount: 130.3, status: "RESOLVED", entity: { cloud1Account: "222" } }),
  anomaly("d", {
    time: null,
    cloudProvider: "CLOUD_3",
    perspectiveId: "web",
    entity: { cloud1Account: "Web_%" },
  }),
];

describe.each(usualEngines())("a list of anomalies on $name", async (engine) => {
  const verbs = anomalyVerbs(() => world);
  const world = await openPlatform(engine);
  await verbs.bring(...FOUND);
  afterAll(() => world.close());

  const groups = async (filter: object) =>
    (await verbs.list(filter)).map(
      // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what is tested
      ({ entity, status, anomalyCount, aggregations }: any) => [
        entity.cloud1Account ?? status,
        anomalyCount,
        ...aggregations.map(({ value }: { value: number | null }) => value),
      ],
    );

  it("is read to its end by the client, however small the pieces", async () => {
    await verbs.bring(
      ...Array.from({ length: 12 }, (_, index) => anomaly(`n-${index}`, { unitMetricName: "n" })),
    );
    const client = createPlatformClient({
      url: world.url,
      token: world.key,
      account: ACCOUNT,
      dialect: "neutral",
      clock: world.clock,
      random: () => 0,
      sleep: async () => {},
    });
    const read = async (limit?: number) => {
      const body = { anomalyFilterPropertiesDTO: { unitMetricNames: ["n"], ...(limit ? { limit } : {}) } };
      const ids: unknown[] = [];
      for await (const item of readItems(client, anomalies.listAnomalies, { body }))
        ids.push(item.ok ? item.value.id : item.failure.message);
      return ids;
    };
    const all = await read();
    expect(all).toHaveLength(12);
    expect(await read(5)).toEqual(all);
    expect(await read(4)).toEqual(all);
    await client.close();
  });

  it("comes in groups, with what is asked of each", async () => {
    const filter = {
      anomalyIds: ["a", "b", "c", "d"],
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
      ["111", 2, 230.3, 15.15, 20.2, 10.1, 2, 0],
      ["222", 1, 130.3, 30.3, 30.3, 30.3, 1, 0],
      ["Web_%", 1, 150, 50, 50, 50, 0, 1],
    ];
    expect(await groups(filter)).toEqual(expected);
    const spend = (order: string) => ({ ...filter, orderBy: [{ field: "ACTUAL_COST", order }] });
    expect(await groups(spend("ASCENDING"))).toEqual([expected[1], expected[2], expected[0]]);
    expect(await groups({ ...spend("DESCENDING"), offset: 1, limit: 1 })).toEqual([expected[2]]);
    const [first] = await verbs.list(filter);
    expect(first.aggregations[0]).toEqual({ operationType: "SUM", field: "ACTUAL_COST", value: 230.3 });
    expect(first).toMatchObject({ id: null, time: null, status: null, tags: {} });
  });

  it("is one group when only numbers are asked for", async () => {
    const aggregations = [{ operationType: "SUM", field: "ANOMALOUS_SPEND" }];
    expect(await groups({ anomalyIds: ["a", "c"], aggregations })).toEqual([[null, 2, 40.4]]);
    expect(await groups({ anomalyIds: ["none"], aggregations })).toEqual([[null, 0, null]]);
  });

  it.each([
    [{ aggregations: [{ operationType: "SUM", field: "STATUS" }] }, "aggregations.0.field"],
    [{ groupBy: [{ groupByField: "STATUS" }], orderBy: [{ field: "ANOMALY_ID" }] }, "orderBy.0.field"],
  ])("is refused for %j", async (filter, field) => {
    const answer = await verbs.ask("/list", { anomalyFilterPropertiesDTO: filter });
    expect(refusal(answer)).toEqual([400, "INVALID_ARGUMENT", `anomalyFilterPropertiesDTO.${field}`]);
  });

  const field = (fieldId: string, identifier?: string, fieldName?: string) => ({
    fieldId,
    identifier,
    fieldName,
  });
  const is = (what: object, operator: string, ...values: string[]) => ({ field: what, operator, values });
  const account = field("cloud1Account", "CLOUD_1");

  it.each([
    ["nothing", [], ["c", "a", "b", "d"]],
    ["an account", [{ idFilter: is(account, "IN", "111") }], ["a", "b"]],
    [
      "an account as the service calls it",
      [{ idFilter: is(field("awsUsageaccountid"), "EQUALS", "222") }],
      ["c"],
    ],
    ["a missing namespace", [{ idFilter: is(field("namespace"), "NULL") }], ["c", "b", "d"]],
    ["a cloud in the service's words", [{ idFilter: is(field("cloudProvider"), "IN", "GCP") }], ["d"]],
    ["a label", [{ idFilter: is(field("labels.value", "LABEL_V2", "team"), "IN", "web", "x") }], ["a"]],
    ["a cost category", [{ idFilter: is(field("x", "BUSINESS_MAPPING", "Team"), "EQUALS", "Web") }], ["a"]],
    ["a perspective", [{ viewMetadataFilter: { viewId: "web", isPreview: false } }], ["d"]],
    ["this month", [{ timeRangeTypeFilter: "CURRENT_MONTH" }], ["c"]],
    ["last month", [{ timeRangeTypeFilter: "LAST_MONTH" }], ["a"]],
    [
      "a time from",
      [{ timeFilter: { field: field("startTime"), operator: "AFTER", value: DECEMBER } }],
      ["c", "a"],
    ],
    [
      "a time to",
      [{ timeFilter: { field: field("startTime"), operator: "BEFORE", value: DECEMBER } }],
      ["a", "b"],
    ],
    ["two filters", [{ idFilter: is(account, "IN", "111") }, { timeRangeTypeFilter: "LAST_MONTH" }], ["a"]],
    [
      "one of two rules",
      [
        { ruleFilter: { conditions: [is(account, "IN", "111"), is(field("namespace"), "NULL")] } },
        { ruleFilter: { conditions: [is(account, "IN", "222")] } },
      ],
      ["c", "b"],
    ],
  ])("is narrowed by a perspective's query for %s", async (_, filters, expected) => {
    const perspectiveQueryDTO = {
      filters,
      groupBy: [{ entityGroupBy: account, timeTruncGroupBy: { resolution: "HOUR" } }],
    };
    const ids = await verbs.ids({ anomalyIds: ["a", "b", "c", "d"] }, { perspectiveQueryDTO });
    expect(ids).toEqual(expected);
    expect(world.errors).toEqual([]);
  });

  it("takes half characters from imports and requests without falling over", async () => {
    await verbs.bring(anomaly("half", { details: "x\ud800y", tags: { "\udc00": "\ud800" } }));
    const half = { searchText: ["x\ud800y"], tags: { "\udc00": "\ud800" } };
    expect(await verbs.ids(half)).toEqual(["half"]);
    expect(world.errors).toEqual([]);
  });
});
