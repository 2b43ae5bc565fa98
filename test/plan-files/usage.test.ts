import { describe, expect, test } from "vitest";
import { breakdown, estimate, project, readEstimateOf } from "./estimate-builder.ts";
import {
  API,
  BUCKET,
  FUNCTION,
  GATEWAY,
  meteredEstimate,
  meteredProject,
  TABLE,
  withUsage,
} from "./usage-builder.ts";

const usageOf = async (document: object) => (await readEstimateOf(document)).whole.cost.estimate?.usage;
const changes = async (document: object) =>
  Object.fromEntries(
    (await usageOf(document))?.resources.map(({ address, change }) => [address, change]) ?? [],
  );

const COMPONENT = { name: "Requests", unit: "1M requests", price: "0.2" };

describe("a usage-based resource whose usage is not stated", () => {
  test("is named, with its type and what the estimate says of it before and after", async () => {
    const pricier = { ...BUCKET, metered: BUCKET.metered.map((part) => ({ ...part, price: "0.03" })) };
    const file = meteredEstimate({ before: [API, TABLE, BUCKET], after: [FUNCTION, TABLE, pricier] });
    expect(await changes(file)).toEqual({
      [FUNCTION.name]: "added",
      [TABLE.name]: "unchanged",
      [BUCKET.name]: "changed",
      [API.name]: "deleted",
    });
    expect((await usageOf(file))?.resources[0]).toMatchObject({ type: "aws_lambda_function" });
  });

  test("whose usage is given only now was there before: how much its cost falls is not known", async () => {
    const file = meteredEstimate({ before: [FUNCTION], after: [withUsage(FUNCTION)] });
    expect(await changes(file)).toEqual({ [FUNCTION.name]: "given" });
  });

  test("has no amount of its own: the difference of the estimator takes it for nothing", async () => {
    const { whole } = await readEstimateOf(meteredEstimate({ after: [FUNCTION] }));
    const [resource] = whole.cost.diff["aws_lambda_function"]?.diff ?? [];
    expect(resource).toMatchObject({
      previous_monthly_cost: "0.00",
      current_monthly_cost: null,
      diff_monthly_cost: null,
    });
    expect(resource?.subresources?.["Requests"]).toMatchObject({ current_monthly_cost: null });
  });

  test("retains its known values", async () => {
    const file = meteredEstimate({ after: [GATEWAY] });
    const { whole } = await readEstimateOf(file);
    expect(whole.cost.diff["aws_nat_gateway"]?.diff[0]).toMatchObject({ diff_monthly_cost: "32.85" });
    expect(await changes(file)).toEqual({ [GATEWAY.name]: "added" });
  });

  test("is not known to be new where there is no past", async () => {
    const file = meteredEstimate({ after: [FUNCTION] }, { pastBreakdown: null, diff: null });
    expect(await changes(file)).toEqual({ [FUNCTION.name]: "unstated" });
  });

  test.each<[string, object, boolean]>([
    ["no cost, as older estimators write it", { monthlyQuantity: null, monthlyCost: null }, true],
    ["no cost, and is marked", { monthlyQuantity: null, monthlyCost: null, usageBased: true }, true],
    ["a zero for no quantity", { monthlyQuantity: null, monthlyCost: "0", usageBased: true }, true],
    ["a cost from a usage file", { monthlyQuantity: "5", monthlyCost: "1", usageBased: true }, false],
    ["a usage file that says none", { monthlyQuantity: "0", monthlyCost: "0", usageBased: true }, false],
    ["a quantity per hour", { hourlyQuantity: "1", monthlyCost: "0", usageBased: true }, false],
    ["no price", { monthlyCost: null, priceNotFound: true }, false],
    ["neither price nor usage", { monthlyCost: null, priceNotFound: true, usageBased: true }, true],
    ["nothing by use", { monthlyQuantity: "730", monthlyCost: "7" }, false],
  ])("is one whose part has %s", async (_what, part, expected) => {
    const resource = {
      name: "aws_lambda_function.a",
      monthlyCost: "0",
      costComponents: [{ ...COMPONENT, ...part }],
    };
    const nested = {
      name: "aws_instance.b",
      monthlyCost: "1",
      subresources: [{ ...resource, name: "disk" }],
    };
    const deeper = {
      name: "aws_instance.c",
      monthlyCost: "1",
      subresources: [{ name: "disks", monthlyCost: "1", subresources: [{ ...resource, name: "disk" }] }],
    };
    const sides = { pastBreakdown: breakdown("2"), breakdown: breakdown("2", [resource, nested, deeper]) };
    const named = await changes(estimate([project("a", ["2", "2", "0"], sides)], ["2", "2", "0"]));
    expect(Object.keys(named)).toHaveLength(expected ? 3 : 0);
  });

  test("is no longer listed once a usage file gives its usage", async () => {
    const given = [API, TABLE, FUNCTION, BUCKET].map((resource) => withUsage(resource));
    expect(await usageOf(meteredEstimate({ after: given }))).toEqual({
      resources: [],
      unnamed: 0,
      unnamed_unchanged: 0,
    });
  });
});

describe("usage-based resources that a file counts and does not list", () => {
  const summary = (counted: number, supported = counted) => ({
    totalUsageBasedResources: counted,
    totalSupportedResources: supported,
    unsupportedResourceCounts: {},
  });
  const unnamed = async (document: object) => {
    const usage = await usageOf(document);
    return [usage?.unnamed, usage?.unnamed_unchanged];
  };

  test("are counted by a project", async () => {
    const file = meteredEstimate({ after: [FUNCTION] }, { summary: summary(4) }, { summary: summary(4) });
    expect(await unnamed(file)).toEqual([3, 0]);
  });

  test("are counted by the file beyond its projects, in a stage of their own", async () => {
    const file = meteredEstimate({ after: [FUNCTION] }, {}, { summary: summary(3) });
    const { stages } = await readEstimateOf(file);
    expect(stages.map(({ label, cost }) => [label, cost.estimate?.usage?.unnamed])).toEqual([
      ["shop", 0],
      ["unattributed", 2],
    ]);
    expect(await unnamed(file)).toEqual([2, 0]);
  });

  test("were there before where what is not listed costs the same as before", async () => {
    const file = estimate([project("a", ["0", "0", "0"])], ["1272.98", "1272.98", "0"], {
      summary: { ...summary(23, 31), totalDetectedResources: 189 },
    });
    expect(await unnamed(file)).toEqual([0, 23]);
  });

  test("are none where every resource is listed with all its costs: the estimator counts them all the same", async () => {
    const given = withUsage(FUNCTION);
    expect(await unnamed(meteredEstimate({ after: [given] }))).toEqual([0, 0]);
  });

  test("are added up over projects", async () => {
    const projects = [FUNCTION, TABLE].map((one) =>
      meteredProject({ after: [one] }, { summary: summary(2) }),
    );
    expect(await unnamed(estimate(projects, ["0", "0", "0"], { summary: summary(5) }))).toEqual([3, 0]);
  });
});
