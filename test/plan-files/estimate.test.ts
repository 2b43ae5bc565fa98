import { describe, expect, test } from "vitest";
import type { EstimateStage } from "../../src/plan-files/estimate/estimate.ts";
import { CostChangeBody } from "../../src/platform/contract/cost-changes.ts";
import { breakdown, estimate, project, type ResourceGiven, readEstimateOf } from "./estimate-builder.ts";

const amounts = ({ cost }: EstimateStage) => [
  cost.past_total_monthly_cost,
  cost.total_monthly_cost,
  cost.diff_total_monthly_cost,
];
const note = ({ cost }: EstimateStage) => cost.estimate;

describe("totals", () => {
  test("are the file's own, digit for digit, with at least two decimals", async () => {
    const digits = ["0.1000000000000000055511151231257827", "7", "6.8999999999999999444888768742172173"];
    const { stages, whole } = await readEstimateOf(estimate([project("a", digits)], digits));
    expect(stages.map(amounts)).toEqual([[digits[0], "7.00", digits[2]]]);
    expect(amounts(whole)).toEqual([digits[0], "7.00", digits[2]]);
    expect(whole.cost.percentage_change_total_monthly_cost).toBe(6900);
  });

  test("may be numbers, and come in any currency; a missing one is US dollars", async () => {
    const file = estimate([project("a", [1.5, 2, 0.5])], [1.5, 2, 0.5], { currency: "eur" });
    const { whole } = await readEstimateOf(file);
    expect([whole.cost.currency, ...amounts(whole)]).toEqual(["EUR", "1.50", "2.00", "0.50"]);
    for (const currency of [undefined, null, ""]) {
      expect((await readEstimateOf({ ...file, currency })).whole.cost.currency).toBe("USD");
    }
  });

  test("of an old file without a past are unknown where the file does not state them", async () => {
    const old = { name: "a", breakdown: breakdown("5"), pastBreakdown: null, diff: null };
    const { stages, whole } = await readEstimateOf({
      version: "0.2",
      projects: [old],
      totalMonthlyCost: "5",
    });
    expect(stages.map(amounts)).toEqual([[null, "5.00", null]]);
    expect(amounts(whole)).toEqual([null, "5.00", null]);
    expect(whole.modules).toBeNull();
    expect(note(whole)?.unpriced).toBeNull();
  });

  test("that a file leaves out are what its projects add up to", async () => {
    const file = estimate([project("a", ["1", "3", "2"]), project("b", ["1", "1", "0"])], [null, "4", null]);
    expect(amounts((await readEstimateOf(file)).whole)).toEqual(["2.00", "4.00", "2.00"]);
  });

  test("of a file without projects are one stage", async () => {
    const { stages } = await readEstimateOf(estimate([], ["0", "0", "0"]));
    expect(stages.map(({ label }) => label)).toEqual(["costs"]);
    const nothing = await readEstimateOf({ projects: [], totalMonthlyCost: null });
    expect(nothing.stages.map(amounts)).toEqual([[null, null, null]]);
    expect(note(nothing.whole)).toMatchObject({
      completeness: "partial",
      problems: ["the estimate names no project, so nothing was estimated"],
    });
  });
});

describe("a project that failed", () => {
  const failed = (more: object) => ({
    name: "b",
    metadata: { path: "b", errors: [{ code: 1, message: "no such folder" }] },
    ...more,
  });

  test("makes its stage and the whole partial, with what the estimator said", async () => {
    const file = estimate(
      [project("a", ["1", "2", "1"]), failed({ breakdown: breakdown("0"), pastBreakdown: breakdown("0") })],
      ["1", "2", "1"],
    );
    const { stages, whole } = await readEstimateOf(file);
    expect(stages.map((stage) => note(stage)?.completeness)).toEqual(["complete", "partial"]);
    expect(note(whole)).toMatchObject({ completeness: "partial", problems: ["b: no such folder"] });
  });

  test.each([
    ["texts", ["no such folder"]],
    ["one object", { message: "no such folder" }],
    ["one text", "no such folder"],
    ["several lines", "\n no such\n\tfolder\r\n"],
  ])("may say why as %s", async (_shape, errors) => {
    const given = project("b", ["1", "2", "1"], { metadata: { path: "b", errors } });
    const { whole } = await readEstimateOf(estimate([given], ["1", "2", "1"]));
    expect(note(whole)).toMatchObject({ completeness: "partial", problems: ["no such folder"] });
  });

  test("and states nothing is counted as the file's totals count it", async () => {
    const file = estimate([project("a", ["1", "2", "1"]), failed({ breakdown: null })], ["1", "2", "1"]);
    const { stages, whole } = await readEstimateOf(file);
    expect(stages.map(amounts)).toEqual([
      ["1.00", "2.00", "1.00"],
      ["0.00", "0.00", "0.00"],
    ]);
    expect(note(stages[1] ?? whole)).toMatchObject({ completeness: "partial" });
  });

  test("without saying so is partial too, and unknown where no total confirms it", async () => {
    const projects = [{ name: "b", breakdown: breakdown(null) }];
    const { whole } = await readEstimateOf({ version: "0.2", projects, totalMonthlyCost: null });
    expect(amounts(whole)).toEqual([null, null, null]);
    expect(note(whole)?.completeness).toBe("partial");
  });
});

describe("figures that contradict each other", () => {
  const parts = ({ cost }: EstimateStage) => cost.estimate?.parts;

  test("projects that do not add up: the rest is a stage of which every part is said to be listed", async () => {
    const { stages, whole } = await readEstimateOf(
      estimate([project("a", ["1", "2", "1"])], ["1", "9", "8"]),
    );
    expect(stages.map(({ label }) => label)).toEqual(["a", "unattributed"]);
    expect(amounts(stages[1] ?? whole)).toEqual(["0.00", "7.00", "7.00"]);
    expect([...stages, whole].map(parts)).toEqual(["changed", "all", "all"]);
  });

  test("a file that says it lists only some of what it counts has a rest, and contradicts nothing", async () => {
    const some = { summary: { totalDetectedResources: 50, unsupportedResourceCounts: { cloud_rare: 2 } } };
    const { stages, whole } = await readEstimateOf(
      estimate([project("a", ["1", "1", "0"])], ["8", "8", "0"], some),
    );
    expect(stages.map(amounts)).toEqual([
      ["1.00", "1.00", "0.00"],
      ["7.00", "7.00", "0.00"],
    ]);
    expect([...stages, whole].map(parts)).toEqual(["changed", "changed", "changed"]);
    expect(stages.map((stage) => note(stage)?.unpriced)).toEqual([{}, { cloud_rare: 2 }]);
    const changed = await readEstimateOf(estimate([project("a", ["1", "1", "0"])], ["7", "8", "1"], some));
    expect(changed.stages.map(parts)).toEqual(["changed", "all"]);
  });

  test("resources that do not add up to their project: all of them are listed, so that it shows", async () => {
    const odd = project("a", ["1", "2", "1"], {
      breakdown: breakdown("2", [{ name: "cloud_disk.data", monthlyCost: "1.5" }]),
    });
    const { stages, whole } = await readEstimateOf(estimate([odd], ["1", "2", "1"]));
    expect([...stages, whole].map(parts)).toEqual(["all", "all"]);
    expect(Object.keys(whole.cost.diff)).toEqual(["cloud_disk"]);
  });

  test("rounding contradicts nothing", async () => {
    const file = estimate(
      [project("a", ["1.001", "2", "0.999"]), project("b", ["1", "1", "0"])],
      ["2", "3", "1"],
    );
    const { stages, whole } = await readEstimateOf(file);
    expect(stages.map(parts)).toEqual(["changed", "changed", "changed"]);
    expect(amounts(stages[2] ?? whole)).toEqual(["-0.001", "0.00", "0.001"]);
  });
});

describe("names of stages", () => {
  const named = (...metadata: readonly object[]) =>
    metadata.map((one) => project("app", ["0", "0", "0"], { metadata: one }));
  const labels = async (projects: readonly object[]) =>
    (await readEstimateOf(estimate(projects, ["0", "0", "0"]))).stages.map(({ label }) => label);

  test("are the projects' own, and repeated ones are distinguished by what differs", async () => {
    expect(await labels(named({ path: "x" }))).toEqual(["app"]);
    const [dev, prod] = [{ terraformModulePath: "dev" }, { terraformModulePath: "prod" }];
    const modules = named(dev, prod, { ...dev, terraformWorkspace: "two" });
    expect(await labels(modules)).toEqual(["app (dev)", "app (prod)", "app (dev, two)"]);
    const a = { path: "a" };
    expect(await labels(named(a, { ...a, terraformWorkspace: "w" }))).toEqual(["app", "app (w)"]);
    expect(await labels(named(a, a, a))).toEqual(["app", "app #2", "app #3"]);
    const unnamed = { metadata: { path: "envs/prod" }, breakdown: breakdown("0") };
    expect(await labels([unnamed, {}])).toEqual(["envs/prod", "costs"]);
  });
});

describe("resources, components and modules", () => {
  const web = (monthlyCost: string, disk: string) => ({
    name: 'module.web["a.b"].cloud_machine.this[0]',
    resourceType: "cloud_machine",
    monthlyCost,
    costComponents: [{ name: "Machine", monthlyCost: "7" }],
    subresources: [{ name: "disk", monthlyCost: disk, costComponents: [] }],
  });
  const queue = {
    name: "cloud_queue.jobs",
    monthlyCost: null,
    costComponents: [{ name: "Messages", monthlyCost: null }],
  };
  /** A project that goes from 10 to 12, with its resources before, after and in the difference. */
  const changing = (before: ResourceGiven[], after: ResourceGiven[], diff: ResourceGiven[]) => {
    const parts = {
      pastBreakdown: breakdown("10", before),
      breakdown: breakdown("12", after),
      diff: breakdown("2", diff),
    };
    return estimate([project("a", ["10", "12", "2"], parts)], ["10", "12", "2"]);
  };
  const inDiff = { ...web("2", "2"), costComponents: [] };
  const file = changing([web("10", "3")], [web("12", "5"), queue], [inDiff, queue]);

  test("changed resources are grouped by type, with the parts of each", async () => {
    const { diff } = (await readEstimateOf(file)).whole.cost;
    expect(diff["cloud_machine"]).toMatchObject({
      previous_monthly_cost: "10.00",
      current_monthly_cost: "12.00",
      diff_monthly_cost: "2.00",
    });
    expect(diff["cloud_machine"]?.diff[0]).toMatchObject({
      name: 'module.web["a.b"].cloud_machine.this[0]',
      diff_monthly_cost: "2.00",
      percentage_change_monthly_cost: 20,
      subresources: {
        Machine: { diff_monthly_cost: "0.00" },
        disk: { previous_monthly_cost: "3.00", current_monthly_cost: "5.00" },
      },
    });
  });

  test("parts are those of before and after: the difference joins the names of two that take each other's place", async () => {
    const sized = (size: string, monthlyCost: string) => ({
      name: "cloud_machine.this",
      resourceType: "cloud_machine",
      monthlyCost,
      costComponents: [{ name: `Machine (${size})`, monthlyQuantity: "730", monthlyCost }],
    });
    const resized = changing([sized("small", "10")], [sized("large", "12")], [sized("small → large", "2")]);
    const { diff } = (await readEstimateOf(resized)).whole.cost;
    expect(Object.keys(diff["cloud_machine"]?.diff[0]?.subresources ?? {})).toEqual([
      "Machine (small)",
      "Machine (large)",
    ]);
  });

  test("the priced share of each part is stated, and that of its own parts where it has any", async () => {
    const stored = { name: "Storage", unit: "GB", monthlyCost: "1" };
    const volume = (monthlyQuantity: string, monthlyCost: string) => ({
      name: "cloud_machine.this",
      monthlyCost,
      costComponents: [
        { name: "Machine (small)", unit: "hours", monthlyQuantity: "730", monthlyCost: "7" },
        { name: "Calls", unit: "calls", monthlyQuantity: null, monthlyCost: null },
      ],
      subresources: [
        { name: "disk", monthlyCost: "1", costComponents: [{ ...stored, monthlyQuantity }] },
        {
          name: "two",
          monthlyCost: "2",
          costComponents: [{ ...stored, monthlyQuantity: "1" }, { name: "b" }],
        },
      ],
    });
    const stated = changing([volume("100", "10")], [volume("200", "12")], [volume("100", "2")]);
    const { whole, stages } = await readEstimateOf(stated);
    const told = {
      "cloud_machine.this": {
        "Machine (small)": { unit: "hours", previous: "730", current: "730" },
        disk: { unit: "GB", previous: "100", current: "200" },
      },
    };
    expect([note(whole)?.quantities, stages.map((stage) => note(stage)?.quantities)]).toEqual([told, [told]]);
  });

  test("a cost that depends on usage is not known, and adds nothing to a sum, as in the file's totals", async () => {
    const { whole } = await readEstimateOf(file);
    expect(whole.cost.diff["cloud_queue"]).toMatchObject({ diff_monthly_cost: "0.00" });
    expect(whole.cost.diff["cloud_queue"]?.diff[0]).toMatchObject({
      current_monthly_cost: null,
      diff_monthly_cost: null,
    });
    expect(note(whole)).toMatchObject({ completeness: "complete", parts: "changed", unpriced: {} });
  });

  test("modules are summed over everything that is priced, by path without instance keys", async () => {
    expect((await readEstimateOf(file)).whole.modules).toMatchObject({
      root: { total_monthly_cost: "0.00", diff_total_monthly_cost: "0.00" },
      web: { total_monthly_cost: "12.00", diff_total_monthly_cost: "2.00" },
    });
  });

  test("what has no price is counted by type: unsupported ones, and those for which no price was found", async () => {
    const unfound = {
      name: "cloud_rare.x",
      resourceType: "cloud_rare",
      monthlyCost: "0",
      costComponents: [{ name: "Use", priceNotFound: true }],
    };
    const odd = project("a", ["0", "0", "0"], {
      breakdown: breakdown("0", [unfound]),
      summary: {
        totalSupportedResources: 1,
        unsupportedResourceCounts: { cloud_new: 3 },
        noPriceResourceCounts: { cloud_free: 9 },
      },
    });
    const { whole } = await readEstimateOf(estimate([odd], ["0", "0", "0"]));
    expect(note(whole)?.unpriced).toEqual({ cloud_new: 3, cloud_rare: 1 });
  });

  test("everything that is written is what the contract takes", async () => {
    const ids = { stage_execution_id: "s", stage_id: "s", workspace_id: "w" };
    const { stages, whole } = await readEstimateOf(file);
    for (const { cost, modules } of [...stages, whole]) {
      for (const one of [cost, ...Object.values(modules ?? {})]) CostChangeBody.parse({ ...one, ...ids });
    }
  });
});

describe("a total that is stated and is no amount", () => {
  const states = ({ stages, whole }: Awaited<ReturnType<typeof readEstimateOf>>) =>
    [...stages, whole].map((stage) => [stage.label, note(stage)?.completeness, note(stage)?.problems]);

  test.each(["NaN", "1e400", "1,234.56", "٣", "$5"])(
    "of the file, %s: something is not known",
    async (odd) => {
      const read = await readEstimateOf(estimate([project("a", ["5", "6", "1"])], ["5", odd, "1"]));
      const problems = ["totalMonthlyCost is stated and is no amount"];
      expect(states(read)).toEqual([
        ["a", "complete", []],
        ["unattributed", "partial", problems],
        ["a", "partial", problems],
      ]);
    },
  );

  test("of a project, also where the other figures leave no choice about it", async () => {
    const odd = project("a", ["5", "NaN", "1"]);
    const [stage] = (await readEstimateOf(estimate([odd], ["5", "6", "1"]))).stages;
    expect(stage === undefined ? null : note(stage)?.problems).toEqual([
      "breakdown.totalMonthlyCost is stated and is no amount",
    ]);
  });

  test("an empty one is not stated", async () => {
    const read = await readEstimateOf(estimate([project("a", ["5", "6", "1"])], ["5", "", "1"]));
    expect(states(read)).toEqual([
      ["a", "complete", []],
      ["a", "complete", []],
    ]);
  });
});
