import { afterAll, describe, expect, it } from "vitest";
import { billingImport, perspectivesImport } from "../../src/platform-server/unit-metrics/import.ts";
import { usualEngines } from "../world/engines.ts";
import { anomaly, anomalyVerbs } from "./anomalies-verbs.ts";
import { openPlatform, type PlatformAnswer } from "./platform-world.ts";
import { imports, list, recommendation } from "./recommendation-verbs.ts";
import { verbsOf } from "./unit-metric-verbs.ts";

const AT = Date.UTC(2025, 11, 20);
const CLUSTER = "ÄRGER-Web";

type Field = string | { fieldId: string; fieldName?: string; identifier?: string };
const condition = (field: Field, operator: string, ...values: string[]) => ({
  field: typeof field === "string" ? { fieldId: field } : field,
  operator,
  values,
});
const is = (...asked: Parameters<typeof condition>) => [{ idFilter: condition(...asked) }];
const time = (fieldId: string, operator: string, value: number) => [
  { timeFilter: { field: { fieldId }, operator, value } },
];
const label = (fieldName: string) => ({ fieldId: "labels.value", fieldName, identifier: "LABEL" });
const category = (fieldName: string) => ({ fieldId: "7f3a", fieldName, identifier: "BUSINESS_MAPPING" });

const FITS: readonly [string, readonly object[], boolean][] = [
  ["a cloud in the contract's words", is("cloudProvider", "IN", "CLOUD_1"), true],
  ["a cloud in the running service's words", is("cloudProvider", "IN", "AWS"), true],
  ["not a cloud in the running service's words", is("cloudProvider", "NOT_IN", "AWS"), false],
  ["a field's id in any case", is("CLUSTERNAME", "EQUALS", CLUSTER), true],
  ["letters beyond ASCII in any case", is("clusterName", "SEARCH", "ärger"), true],
  ["a value in another case", is("clusterName", "IN", CLUSTER.toLowerCase()), false],
  ["a pattern", is("namespace", "LIKE", "sh_p%"), true],
  ["a text that is there", is("workloadName", "NULL"), false],
  ["a label by its key", is(label("team"), "IN", "web"), true],
  ["a label whose key is the field", is({ fieldId: "team", identifier: "LABEL_V2" }, "IN", "web"), true],
  ["a label without the identifier", is({ fieldId: "labels.value", fieldName: "team" }, "IN", "web"), true],
  ["a missing label", is(label("owner"), "NOT_IN", "web"), true],
  ["a cost category by its name", is(category("unit"), "SEARCH", "SHO"), true],
  ["a cost category by its id", is({ fieldId: "unit", identifier: "BUSINESS_MAPPING" }, "NOT_NULL"), true],
  ["a cost category's other bucket", is(category("unit"), "IN", "data"), false],
  ["the time itself", time("startTime", "AFTER", AT), true],
  ["a later time", time("STARTTIME", "AFTER", AT + 1), false],
  ["last month", [{ timeRangeTypeFilter: "LAST_MONTH" }], true],
  ["this month", [{ timeRangeTypeFilter: "CURRENT_MONTH" }], false],
  ["a time until then", time("startTime", "BEFORE", AT), true],
  ["an earlier time", time("startTime", "BEFORE", AT - 1), false],
  ["a preview of a perspective", [{ viewMetadataFilter: { viewId: "none", isPreview: true } }], true],
  ["a rule without conditions", [{ ruleFilter: { conditions: [] } }], true],
  [
    "one of two rules",
    [
      { ruleFilter: { conditions: [condition("namespace", "IN", "x"), condition(label("team"), "NULL")] } },
      { ruleFilter: { conditions: [condition("cloudProvider", "IN", "AWS")] } },
    ],
    true,
  ],
  [
    "a rule of which one condition does not hold, and a filter that does",
    [
      {
        ruleFilter: { conditions: [condition("namespace", "IN", "shop"), condition(label("team"), "NULL")] },
      },
      ...is("cloudProvider", "IN", "AWS"),
    ],
    false,
  ],
];

const REFUSED: readonly [string, readonly object[], readonly string[]][] = [
  ["a field that the rows do not have", is("colour", "IN", "red"), ["0.idFilter.field.fieldId"]],
  ["a time that the rows do not have", time("colour", "AFTER", 0), ["0.timeFilter.field.fieldId"]],
  ["a label without a key", is({ fieldId: "labels.value" }, "NULL"), ["0.idFilter.field.fieldName"]],
  [
    "a custom field, beside another problem",
    [
      { ruleFilter: { conditions: [condition({ fieldId: "region", identifier: "CUSTOM" }, "NOT_NULL")] } },
      ...is("colour", "NULL"),
    ],
    ["0.ruleFilter.conditions.0.field.fieldId", "1.idFilter.field.fieldId"],
  ],
];

describe.each(usualEngines())("a perspective's filter on $name", async (engine) => {
  const world = await openPlatform(engine);
  afterAll(() => world.close());
  const anomalies = anomalyVerbs(() => world);
  const metrics = verbsOf(() => world);

  const tags = { team: "web" };
  const costCategoryDetails = [{ costCategory: "unit", costBucket: "shop" }];
  await imports(world, [
    recommendation("one", {
      cloudProvider: "CLOUD_1",
      clusterName: CLUSTER,
      namespace: "shop",
      resourceName: "cart",
      createdAt: AT,
      tags,
      costCategoryDetails,
    }),
  ]);
  const entity = { k8sClusterName: CLUSTER, k8sNamespace: "shop", k8sWorkloadName: "cart" };
  await anomalies.bring(anomaly("one", { time: AT, entity, tags, costCategoryDetails }));
  await metrics.imports(perspectivesImport, [{ id: "all", name: "All" }]);
  await metrics.imports(billingImport, [
    {
      id: "one",
      startTime: "2025-12-20T00:00:00Z",
      cost: "1",
      currency: "USD",
      cloudProvider: "CLOUD_1",
      clusterName: CLUSTER,
      namespace: "shop",
      workloadName: "cart",
      labels: tags,
      costCategories: { unit: "shop" },
    },
  ]);
  await metrics.create({ metricIdentifier: "spend", type: "DERIVED", fieldId: "cost" });

  /** The same filters over each kind of rows. */
  const ask = (filters: readonly object[]): Promise<readonly PlatformAnswer[]> =>
    Promise.all([
      list(world, { perspectiveFilters: filters }),
      anomalies.ask("/list", { perspectiveQueryDTO: { filters } }),
      metrics.perspective({ id: "all", from: "2025-01-01T00:00:00Z" }, filters),
    ]);

  it.each(FITS)(
    "says one thing of recommendations, anomalies and bills: %s",
    async (_, filters, expected) => {
      const [found, anomalous, spent] = await ask(filters);
      expect([found?.status, anomalous?.status, spent?.status]).toEqual([200, 200, 200]);
      expect([
        found?.body.data.items.length > 0,
        anomalous?.body.data.length > 0,
        spent?.body.data.total === 1,
      ]).toEqual([expected, expected, expected]);
    },
  );

  it.each(REFUSED)("is refused alike for all of them: %s", async (_, filters, paths) => {
    for (const { status, body } of await ask(filters)) {
      const fields = body.errors.map(({ fieldId }: { fieldId: string }) =>
        fieldId.replace(/^perspective(Filters|QueryDTO\.filters)\./, ""),
      );
      expect([status, body.code, fields]).toEqual([400, "INVALID_ARGUMENT", paths]);
    }
  });
});
