import { describe, expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { buildReport } from "../../src/report/build.ts";
import type { ComponentCost, ResourceCost } from "../../src/report/model/facts.ts";
import { buildPartTree } from "../../src/report/module-tree.ts";
import { amounts, cost, facts, group, known, listed, resource, row, stage } from "./facts.ts";

const component = (name: string, text: string): ComponentCost => ({ name, ...amounts(text) });
const reported = (own: ResourceCost, rows: readonly object[] = []) =>
  buildReport(
    facts(
      stage({
        cost: known(cost("1 > 3", { groups: [group("aws_instance", "1 > 3", [own])] })),
        rows: listed(...rows.map((one) => ({ ...row(own.address, "changed"), ...one }))),
      }),
    ),
    { stages: [] },
  ).resources[0];

describe("a resource joined to its rows", () => {
  test("has the attributes of every row of it, each once, but not those that drifted", () => {
    const joined = reported(resource("aws_instance.a", "1 > 3"), [
      { change: "moved", changedAttributes: ["ami", "tags"] },
      { change: "changed", changedAttributes: ["ami", "user_data"] },
      { change: "drifted", changedAttributes: ["size"] },
    ]);
    expect(joined).toMatchObject({ action: "changed", changedAttributes: ["ami", "tags", "user_data"] });
  });

  test("is moved where its rows say nothing else", () => {
    expect(reported(resource("aws_instance.a", "1 > 3"), [{ change: "moved" }])?.action).toBe("moved");
  });

  test("has none that are known where nobody read them", () => {
    expect(reported(resource("aws_instance.a", "1 > 3"), [{}])?.changedAttributes).toBeNull();
  });

  test.each([
    [
      "a part is priced by use that nobody stated",
      [component("hours", "1 > 3"), component("requests", "? > ?")],
      true,
    ],
    ["every part has its price", [component("hours", "1 > 3"), component("requests", "0 > 0")], false],
    ["a part is gone", [component("hours", "1 > 3"), component("requests", "5 > 0")], false],
  ])("is usage-based where %s", (_, components, usageBased) => {
    expect(reported({ ...resource("aws_instance.a", "1 > 3"), components })?.usageBased).toBe(usageBased);
  });
});

test("stages stand in the order in which the policy names them, the others last", () => {
  const named = ["dev-b", "prod-a", "other", "staging-a", "prod-b"].map((workspace) => stage({ workspace }));
  const namings = [
    { workspace: "prod-*", name: "production" },
    { workspace: "staging-*", name: "staging" },
    { workspace: "dev-*", name: "development" },
  ];
  const { stages } = buildReport(facts(...named), { stages: namings });
  expect(stages.map(({ workspace }) => workspace)).toEqual([
    "prod-a",
    "prod-b",
    "staging-a",
    "dev-b",
    "other",
  ]);
});

describe("a tree of parts", () => {
  const part = (path: string, ...cells: readonly string[]) => ({
    path: path.split("."),
    cells: cells.map(decimal),
  });

  test("contains in every part what is inside it, largest first, and leaves out what changes nothing", () => {
    const tree = buildPartTree([
      part("a.x", "1", "2"),
      part("b", "-9", "9"),
      part("a", "1", "0"),
      part("c", "0", "0"),
    ]);
    expect(tree.map(({ path, cells }) => [path.join("."), ...cells])).toEqual([
      ["b", "-9", "9"],
      ["a", "2", "2"],
    ]);
    expect(tree[1]?.ownCells).toEqual(["1", "0"]);
  });

  test("does not show a part that contains only one other part", () => {
    expect(buildPartTree([part("a.b.c", "1")]).map(({ path }) => path.join("."))).toEqual(["a.b.c"]);
  });
});
