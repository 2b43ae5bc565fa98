import { afterAll, describe, expect, it } from "vitest";
import { billingImport, perspectivesImport } from "../../src/platform-server/unit-metrics/import.ts";
import { usualEngines } from "../world/engines.ts";
import { openPlatform } from "./platform-world.ts";
import { verbsOf } from "./unit-metric-verbs.ts";

const ROW = {
  id: "2026-01-05/vm-1",
  startTime: "2026-01-05T00:00:00+01:00",
  cost: "1.250",
  currency: "USD",
  cloudProvider: "CLOUD_1",
};
const FULL = {
  ...ROW,
  account: "1234",
  region: "eu-1",
  product: "Compute",
  usageType: "BoxUsage",
  instanceType: "m5.large",
  resource: "i-1",
  resourceGroup: "rg",
  clusterName: "c",
  namespace: "n",
  workloadName: "w",
  usageAmount: 24,
  labels: { team: "web" },
  costCategories: { unit: "shop" },
};
const condition = { field: { fieldId: "region", identifier: "COMMON" }, operator: "IN", values: ["eu-1"] };
const VIEW = { id: "shop", name: "Shop", rules: [{ conditions: [condition] }], unitMetrics: ["spend"] };

/** Paths of what is wrong with a line; none: it is taken. */
const problems = (kind: typeof billingImport | typeof perspectivesImport, line: unknown) =>
  kind.line.safeParse(line).error?.issues.map(({ path }) => path.join(".")) ?? [];

describe("a line of a bill", () => {
  it("says what was used, when, and what it cost, exactly", () => {
    expect(billingImport.line.parse(FULL)).toEqual({
      row_id: "2026-01-05/vm-1",
      start_ms: Date.UTC(2026, 0, 4, 23),
      cost: "1.25",
      currency: "USD",
      cloud_provider: "CLOUD_1",
      cloud_account: "1234",
      region: "eu-1",
      product: "Compute",
      usage_type: "BoxUsage",
      instance_type: "m5.large",
      resource: "i-1",
      resource_group: "rg",
      cluster_name: "c",
      namespace: "n",
      workload_name: "w",
      usage_amount: "24",
      labels: { team: "web" },
      cost_categories: { unit: "shop" },
    });
    expect(billingImport.line.parse(ROW)).toMatchObject({ region: null, usage_amount: null, labels: {} });
    expect(billingImport.line.parse({ ...ROW, region: "", labels: null })).toMatchObject({ region: null });
    expect(billingImport.line.parse({ ...ROW, cloudProvider: "GCP" })).toMatchObject({
      cloud_provider: "CLOUD_3",
    });
  });

  it.each<[string, object, string[]]>([
    ["an amount in words", { cost: "12 USD" }, ["cost"]],
    ["an amount with an exponent", { cost: "1e3" }, ["cost"]],
    ["an amount too large", { cost: "1000000000000000.01" }, ["cost"]],
    ["no amount", { cost: null }, ["cost"]],
    ["a wrong usage", { usageAmount: "" }, ["usageAmount"]],
    ["a currency in small letters", { currency: "usd" }, ["currency"]],
    ["a provider that nobody knows", { cloudProvider: "MAINFRAME" }, ["cloudProvider"]],
    ["a day that there is not", { startTime: "2026-02-30" }, ["startTime"]],
    ["a member too many", { regoin: "eu-1" }, [""]],
    ["a label that is no text", { labels: { team: 1 } }, ["labels.team"]],
    [
      "129 labels",
      { labels: Object.fromEntries(Array.from({ length: 129 }, (_, n) => [n, ""])) },
      ["labels"],
    ],
    ["an empty id", { id: "" }, ["id"]],
    ["several of these", { id: "", cost: {}, currency: 1 }, ["id", "cost", "currency"]],
  ])("is refused with %s", (_, more, expected) => {
    expect(problems(billingImport, { ...ROW, ...more })).toEqual(expected);
  });
});

describe("a line of a perspective", () => {
  it.each<[string, object, string[]]>([
    ["nothing wrong", {}, []],
    ["no rules", { rules: undefined }, []],
    [
      "a rule without conditions, which would be everything",
      { rules: [{ conditions: [] }] },
      ["rules.0.conditions"],
    ],
    ["a misspelt condition", { rules: [{ condition: [condition] }] }, ["rules.0.conditions", "rules.0"]],
    [
      "a field of no billing row",
      { rules: [{ conditions: [condition, { ...condition, field: { fieldId: "regoin" } }] }] },
      ["rules.0.conditions.1.field.fieldId"],
    ],
    [
      "a member too many in a field",
      { rules: [{ conditions: [{ ...condition, field: { fieldId: "region", filedName: "x" } }] }] },
      ["rules.0.conditions.0.field"],
    ],
    [
      "an operator that nobody knows",
      { rules: [{ conditions: [{ ...condition, operator: "IS" }] }] },
      ["rules.0.conditions.0.operator"],
    ],
    ["a metric without a name", { unitMetrics: [""] }, ["unitMetrics.0"]],
    ["an id too long", { id: "p".repeat(129) }, ["id"]],
  ])("with %s", (_, more, expected) => {
    expect(problems(perspectivesImport, { ...VIEW, ...more })).toEqual(expected);
  });
});

describe.each(usualEngines())("imports for unit metrics on $name", async (engine) => {
  const { create, perspective, imports } = verbsOf(() => world);
  const send = async (kind: string, upload: string, lines: readonly object[]) => {
    const at = `/tollgate/v1/imports/${kind}/${upload.repeat(32)}`;
    const bytes = lines.map((line) => JSON.stringify(line)).join("\n");
    const page = await world.call("POST", `${at}/pages/1?first_line=1`, { bytes });
    if (page.body.problems.length > 0) return page;
    return world.call("POST", `${at}/commit`, { json: { pages: 1 } });
  };

  const world = await openPlatform(engine);
  afterAll(() => world.close());

  it("make what a perspective shows", async () => {
    await create({ metricIdentifier: "spend", type: "DERIVED", fieldId: "cost" });
    expect((await send("billing", "a", [FULL, { ...ROW, id: "other", cost: 7 }])).body).toMatchObject({
      rows: 2,
    });
    expect((await send("perspectives", "b", [VIEW])).body).toMatchObject({ rows: 1, problems: [] });
    expect((await perspective({ id: "shop" })).body.data.total).toBe(1.25);
    const twice = await send("billing", "c", [{ ...ROW, cost: 1000 }, ROW]);
    expect(twice.body.problems).toMatchObject([{ line: 2 }]);
    expect((await perspective({ id: "shop" }, [])).body.data.total).toBe(1.25);
    expect((await send("billing", "d", [{ ...FULL, cost: "0.1" }])).status).toBe(200);
    expect((await perspective({ id: "shop" })).body.data.total).toBe(0.1);
  });

  it("store whatever they take", async () => {
    const odd = "\ud800 \u0001 'x\" \\ {,} ä 🦊 %s";
    const long = "ü".repeat(256);
    const texts = Object.fromEntries(Array.from({ length: 128 }, (_, n) => [`${n}${odd}`, long]));
    const row = {
      ...FULL,
      id: long,
      cost: `-${"9".repeat(15)}.${"1".repeat(40)}`,
      usageAmount: 1e-6,
      resource: "r".repeat(2048),
      region: odd,
      labels: texts,
      costCategories: texts,
    };
    const rows = Array.from({ length: 1000 }, (_, n) => ({
      ...row,
      id: `${n}`,
      labels: {},
      costCategories: {},
    }));
    await imports(billingImport, [row, ...rows.slice(1)]);
    await imports(billingImport, [row]);
    const found = await world.store.db
      .selectFrom("platform_billing_rows")
      .select(["region", "cost", "labels"])
      .where("row_id", "=", long)
      .executeTakeFirstOrThrow();
    expect(found.region).toBe(odd.toWellFormed());
    expect(found.cost).toBe(row.cost);
    expect(Object.keys(found.labels)).toHaveLength(128);
    const rules = Array.from({ length: 100 }, () => ({ conditions: [{ ...condition, values: [odd] }] }));
    await imports(perspectivesImport, [{ ...VIEW, id: odd, rules, unitMetrics: [odd, "\udc00", "\udc00"] }]);
    await imports(perspectivesImport, []);
  });
});
