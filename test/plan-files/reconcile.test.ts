import { describe, expect, test } from "vitest";
import type { EstimateStage } from "../../src/plan-files/estimate/estimate.ts";
import { breakdown, estimate, readEstimateOf } from "./estimate-builder.ts";
import { plan, readPlanOf, resourceChange } from "./plan-builder.ts";

/** A resource with what it costs a month before and after; null: it does not exist, or another state has it. */
interface Item {
  readonly address: string;
  readonly previous?: string;
  readonly actions: readonly string[];
  readonly importing?: true;
  /** What the code of the base and of the head prices. */
  readonly coded: readonly [number | null, number | null];
  /** What is paid before and after the plan is applied. */
  readonly paid: readonly [number, number];
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const side = (items: readonly Item[], at: 0 | 1) => {
  const resources = items.flatMap(({ address, previous, coded }) => {
    const monthlyCost = coded[at];
    return monthlyCost === null ? [] : [{ name: at === 0 ? (previous ?? address) : address, monthlyCost }];
  });
  return { total: sum(resources.map(({ monthlyCost }) => monthlyCost)), resources };
};

/** The stage of a project, together with its plan; the difference is the estimator's, by address. */
async function together(items: readonly Item[]): Promise<EstimateStage> {
  const [past, present] = [side(items, 0), side(items, 1)];
  const cost = (of: typeof past, address: string) =>
    of.resources.find(({ name }) => name === address)?.monthlyCost ?? 0;
  const addresses = [...new Set([...past.resources, ...present.resources].map(({ name }) => name))];
  const differences = addresses
    .map((name) => ({ name, monthlyCost: cost(present, name) - cost(past, name) }))
    .filter(({ monthlyCost }) => monthlyCost !== 0);
  const change = present.total - past.total;
  const project = {
    name: "a",
    metadata: { type: "terraform_dir" },
    pastBreakdown: breakdown(past.total, past.resources),
    breakdown: breakdown(present.total, present.resources),
    diff: breakdown(change, differences),
  };
  const { stages } = await readEstimateOf(
    estimate([project], [past.total, present.total, change], { metadata: { infracostCommand: "diff" } }),
  );
  const changes = items.map(({ address, actions, previous, importing }) => ({
    ...resourceChange({
      address,
      actions,
      ...(previous !== undefined && { previous_address: previous }),
      ...(importing && { importing: { id: "x" } }),
    }),
    type: "aws_instance",
  }));
  const [stage] = stages;
  if (stage === undefined) throw new Error("there is no stage");
  return stage.withPlan(await readPlanOf(plan({ resource_changes: changes })));
}

const rows = ({ cost }: EstimateStage) =>
  Object.values(cost.diff)
    .flatMap(({ diff }) => diff)
    .map(
      (row) =>
        `${row.name} ${row.previous_monthly_cost} > ${row.current_monthly_cost} by ${row.diff_monthly_cost}`,
    )
    .sort();

describe("the rows of", () => {
  const address = "aws_instance.web";
  test.each<[string, Item, readonly string[]]>([
    [
      "a resource that is no longer managed",
      { address, actions: ["forget"], coded: [50, null], paid: [50, 50] },
      ["aws_instance.web 50.00 > 50.00 by 0.00"],
    ],
    [
      "one that is imported and nothing else",
      { address, actions: ["no-op"], importing: true, coded: [null, 50], paid: [50, 50] },
      ["aws_instance.web 50.00 > 50.00 by 0.00"],
    ],
    [
      "one that is imported and changed",
      { address, actions: ["update"], importing: true, coded: [null, 50], paid: [0, 50] },
      ["aws_instance.web 0.00 > 50.00 by 50.00"],
    ],
    [
      "one that only moves",
      { address, previous: "aws_instance.old", actions: ["no-op"], coded: [50, 50], paid: [50, 50] },
      [],
    ],
    [
      "one that moves and changes",
      { address, previous: "aws_instance.old", actions: ["update"], coded: [50, 70], paid: [50, 70] },
      ["aws_instance.web 50.00 > 70.00 by 20.00"],
    ],
    [
      "one that is forgotten while another takes its address",
      { address, actions: ["forget", "create"], coded: [50, 70], paid: [50, 120] },
      [
        "aws_instance.web (no longer managed) 50.00 > 50.00 by 0.00",
        "aws_instance.web 0.00 > 70.00 by 70.00",
      ],
    ],
  ])("%s", async (_, given, expected) => {
    expect(rows(await together([given]))).toEqual(expected);
  });
});

test("an object that is left behind stays in its module", async () => {
  const address = "module.db.aws_instance.web";
  const stage = await together([
    { address, actions: ["forget", "create"], coded: [50, 70], paid: [50, 120] },
  ]);
  expect(Object.entries(stage.modules ?? {}).map(([name, one]) => [name, one.total_monthly_cost])).toEqual([
    ["db", "120.00"],
  ]);
});

test("a move that begins to state usage contradicts nothing", async () => {
  const file = estimate(
    [
      {
        name: "a",
        pastBreakdown: breakdown("0", [{ name: "aws_lambda_function.a", monthlyCost: null }]),
        breakdown: breakdown("50", [{ name: "aws_lambda_function.b", monthlyCost: "50" }]),
        diff: breakdown("50", [{ name: "aws_lambda_function.b", monthlyCost: "50" }]),
      },
    ],
    ["0", "50", "50"],
  );
  const move = {
    address: "aws_lambda_function.b",
    previous_address: "aws_lambda_function.a",
    actions: ["no-op"],
  };
  const { whole } = await readEstimateOf(file);
  const stage = whole.withPlan(await readPlanOf(plan({ resource_changes: [resourceChange(move)] })));
  expect(stage.cost.estimate?.parts).toBe("changed");
});

test("300 resources that move to another module have no row and cost no module more", async () => {
  const items = Array.from(
    { length: 300 },
    (_, at): Item => ({
      address: `module.new.aws_instance.r[${at}]`,
      previous: `aws_instance.r[${at}]`,
      actions: ["no-op"],
      coded: [7, 7],
      paid: [7, 7],
    }),
  );
  const stage = await together(items);
  expect(rows(stage)).toEqual([]);
  expect(
    Object.entries(stage.modules ?? {}).map(([name, one]) => [name, one.diff_total_monthly_cost]),
  ).toEqual([["new", "0.00"]]);
});

test("an import of a resource that is paid by usage is no new unknown", async () => {
  const resource = { name: "aws_instance.web", monthlyCost: null, costComponents: [] };
  const file = estimate(
    [
      {
        name: "a",
        pastBreakdown: breakdown("0"),
        breakdown: breakdown("0", [resource]),
        diff: breakdown("0", [resource]),
      },
    ],
    ["0", "0", "0"],
  );
  const change = resourceChange({ address: resource.name, actions: ["no-op"], importing: { id: "x" } });
  const { whole } = await readEstimateOf(file);
  const stage = whole.withPlan(await readPlanOf(plan({ resource_changes: [change] })));
  expect(whole.cost.estimate?.usage?.resources[0]?.change).toBe("added");
  expect(stage.cost.estimate?.usage?.resources[0]?.change).toBe("unchanged");
});
