import { describe, expect, it, test } from "vitest";
import { type Decimal, decimal } from "../../src/kernel/money.ts";
import { type AppliedStage, compareParts, computeMiss } from "../../src/report/accuracy.ts";
import { stage } from "../render/evaluation-builder.ts";
import { group, moduleCost } from "./facts.ts";

test.each([
  ["a small change on a large whole", "10000 10100 10200", "+100 +200 miss 100: 100%, 0.99%"],
  ["a saving that came out smaller", "500 400 450", "+-100 +-50 miss 50: 50%, 12.5%"],
  ["no estimated change", "500 500 501", "+0 +1 miss 1: null%, 0.2%"],
  ["an estimate of nothing at all", "0 0 3", "+0 +3 miss 3: null%, null%"],
  ["the end of everything", "80 0 4", "+-80 +-76 miss 4: 5%, null%"],
  ["an estimated change of a cent", "500 500.01 501", "+0.01 +1 miss 0.99: null%, 0.2%"],
  ["a difference by rounding", "500 500 500.01", "+0 +0.01 miss 0.01: 0%, 0%"],
])("the miss of %s is related to the change and to the whole", (_, amounts, expected) => {
  const [before, estimated, actual] = amounts.split(" ").map(decimal) as [Decimal, Decimal, Decimal]; // three by the table
  const found = computeMiss({ before, estimated, actual });
  const changes = `+${found.estimatedChange} +${found.actualChange} miss ${found.miss}`;
  expect(`${changes}: ${found.ofChange}%, ${found.ofWhole}%`).toBe(expected);
});

describe("the parts of a workspace", () => {
  const UNCHANGED = { module: "root", type: "aws_kms_key", cost: decimal("1") };
  const estimate = stage("prod", ["100", "160"], {
    modules: [moduleCost("web", "60 > 120"), moduleCost("db", "40 > 40")],
    types: [group("aws_instance", "60 > 120"), group("aws_lb", "39 > 39")],
    unchanged: [UNCHANGED],
  });
  const applied: AppliedStage = {
    ...{ currency: "USD", side: "before", amount: decimal("175") },
    modules: [moduleCost("web", "125 > 0"), moduleCost("db", "47 > 0"), moduleCost("new", "3 > 0")],
    types: [group("aws_instance", "135 > 0"), group("aws_lb", "39 > 0")],
    unchanged: [UNCHANGED],
  };
  const list = (one: typeof estimate, other: AppliedStage) =>
    compareParts(one, other)
      .map(({ kind, name, estimated, actual }) => `${kind} ${name} ${estimated} > ${actual}`)
      .toSorted();
  const MODULES = ["module web 60 > 65"];
  const TYPES = ["resource_type aws_instance 60 > 75"];

  it("are compared by what they cost before the merge, as estimated and as applied", () => {
    expect(list(estimate, applied)).toEqual([...MODULES, ...TYPES]);
    const after = { ...applied, side: "after", modules: [moduleCost("web", "0 > 175")] } as const;
    expect(list(estimate, after)).toEqual(["module web 60 > 115"]);
  });

  it("are the same in any order, and when a part is listed in pieces", () => {
    const pieces = [moduleCost("db", "7 > 0"), moduleCost("new", "3 > 0"), moduleCost("web", "125 > 0")];
    const other = { ...applied, modules: [...pieces, moduleCost("db", "40 > 0")] };
    const reversed = { ...estimate, modules: estimate.modules?.toReversed() ?? null };
    expect(list(reversed, other)).toEqual([...MODULES, ...TYPES]);
  });

  test.each<[string, Partial<typeof estimate>, Partial<AppliedStage>, readonly string[]]>([
    ["the estimate lists changed parts only", { modules: [moduleCost("web", "60 > 120")] }, {}, TYPES],
    ["what was applied lacks a part", {}, { modules: [moduleCost("web", "125 > 0")] }, TYPES],
    ["the estimate's modules are in doubt", { modulesBecause: "unproven" }, {}, TYPES],
    ["one side has no modules", {}, { modules: null }, TYPES],
    ["a module has another currency", {}, { modules: [moduleCost("web", "175 > 0", "EUR")] }, TYPES],
    ["resources that stay are not listed", { unchanged: [] }, {}, MODULES],
    ["types are unknown", { types: null }, {}, MODULES],
    ["the currencies differ", {}, { currency: "EUR" }, []],
    ["the whole is unknown", { before: null }, {}, []],
    ["the estimated whole is unknown", { after: null }, {}, []],
  ])("are not compared where %s", (_, one, other, left) => {
    expect(list({ ...estimate, ...one }, { ...applied, ...other })).toEqual(left);
  });

  it("cost nothing where a complete list lacks them", () => {
    const modules = [moduleCost("db", "47 > 0"), moduleCost("new", "3 > 0")];
    expect(list(estimate, { ...applied, amount: decimal("50"), modules })).toEqual(["module web 60 > -60"]);
  });

  it("came out as estimated where only rounding differs", () => {
    const modules = [moduleCost("web", "120.01 > 0"), moduleCost("db", "54.99 > 0")];
    expect(list(estimate, { ...applied, modules })).toEqual(["module web 60 > 60", ...TYPES]);
  });

  it("leave out a part without an amount, which has no price", () => {
    const modules = [moduleCost("web", "175 > 0"), moduleCost("web", "? > ?")];
    expect(list(estimate, { ...applied, modules })).toEqual(TYPES);
  });
});
