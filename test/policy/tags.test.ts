import { describe, expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import type { ResourceTags, StatedTags } from "../../src/kernel/resource-tags.ts";
import type { ResourceChange, StageCost, StageFacts } from "../../src/report/model/facts.ts";
import { cost, group, known, listed, resource, row, stage } from "../report/facts.ts";
import { describeFindings, HIDDEN, verdict } from "./evaluate-facts.ts";
import { policy, problems } from "./policies.ts";

const TAGS = `
tags:
  required: [{ key: team, values: [payments, search, ops] }, { key: center, pattern: "CC-[0-9]{2}" }, { key: app }]
  except: { types: ["aws_iam_*"] }`;
const rule = (limit: string, more = "") => policy(`rules: [{ id: r, limit: { ${limit} }${more} }]${TAGS}`);
const COUNT = rule("untagged: 0");
const COST = rule("untagged-cost: 0 USD");

const tags = (values: ResourceTags["values"], complete = true): StatedTags => ({
  after: { values, complete },
});
const ALL = { team: "ops", center: "CC-12", app: "x" };
const BARE = tags({});

const change = (address: string, own: StatedTags | null, kind: ResourceChange["change"] = "added") => ({
  ...row(address, kind),
  ...(own !== null && { tags: own }),
});
const on = (workspace: string, ...rows: readonly ResourceChange[]): StageFacts =>
  stage({ workspace, rows: listed(...rows) });

describe("a resource is untagged", () => {
  const count = (own: StatedTags | null, address = "aws_x.a", kind: ResourceChange["change"] = "added") =>
    describeFindings(COUNT, { stages: [on("w", change(address, own, kind))] })[0];

  test.each<[why: string, own: StatedTags | null, found: string, address?: string]>([
    ["with all of them", tags(ALL), "passed 0"],
    ["with none", BARE, "violated 1"],
    ["of a type that is excepted", BARE, "passed 0", "aws_iam_role.a"],
    ["of a type that carries no tags", "unsupported", "passed 0"],
    ["with a value that is not in the list", tags({ ...ALL, team: "Ops" }), "violated 1"],
    [
      "with a value of which only a part matches the pattern",
      tags({ ...ALL, center: "CC-123" }),
      "violated 1",
    ],
    ["with an empty value", tags({ ...ALL, app: "" }), "violated 1"],
    ["with a second key in another case", tags({ ...ALL, app: "x", Team: "ops" }), "passed 0"],
    [
      "with only the key in another case on AWS",
      tags({ Team: "ops", center: "CC-12", app: "x" }),
      "violated 1",
    ],
    [
      "with the key in another case on Azure",
      tags({ Team: "ops", center: "CC-12", app: "x" }),
      "passed 0",
      "azurerm_x.a",
    ],
    ["with unread tags", null, "undecided tags_not_read of w: aws_x.a"],
    ["with further tags after the apply", tags({ team: "ops" }, false), "undecided tags_later of w: aws_x.a"],
    ["with all of them and further tags after the apply", tags(ALL, false), "passed 0"],
    [
      "with a sensitive value",
      tags({ ...ALL, team: { unknown: "sensitive" } }),
      "undecided tags_sensitive of w: aws_x.a",
    ],
    [
      "with a sensitive value and a wrong one",
      tags({ ...ALL, team: { unknown: "sensitive" }, app: "" }),
      "violated 1",
    ],
  ])("%s", (_, own, found, address) => expect(count(own, address)).toBe(found));

  test.each<[ResourceChange["change"], string]>([
    ["added", "violated 1"],
    ["changed", "violated 1"],
    ["replaced", "violated 1"],
    ["imported", "violated 1"],
    ["deleted", "passed 0"],
    ["removed", "passed 0"],
    ["drifted", "passed 0"],
    ["moved", "passed 0"],
  ])("where it is %s", (kind, found) => expect(count(BARE, "aws_x.a", kind)).toBe(found));
});

describe("untagged resources are counted", () => {
  const a = on(
    "a",
    change("aws_x.a", BARE),
    change("aws_x.a", BARE, "imported"),
    change("aws_x.b", tags(ALL)),
  );
  const b = on("b", change("aws_x.a", BARE, "changed"));

  test("once each, over all stages or in each", () => {
    expect(describeFindings(COUNT, { stages: [a, b] })).toEqual(["violated 2"]);
    expect(describeFindings(rule("untagged: 0", ", per: stage"), { stages: [a, b] })).toEqual([
      "violated a: 1",
      "violated b: 1",
    ]);
    expect(describeFindings(rule("untagged: 2"), { stages: [a, b] })).toEqual(["passed 2"]);
  });

  test("in the scope of the rule", () => {
    const scoped = rule("untagged: 0", ", scope: { resource_types: [aws_y] }");
    const rows = [change("aws_x.a", null), change("aws_y.a", BARE)];
    expect(describeFindings(scoped, { stages: [on("w", ...rows)] })).toEqual(["violated 1"]);
  });

  test("only where every change is listed and may be shown", () => {
    const unread = stage({ rows: known({ rows: [], omitted: 0, unread: 1 }) });
    expect(describeFindings(COUNT, { stages: [a, unread] })).toEqual(["undecided too_large"]);
    expect(describeFindings(COUNT, { stages: [a], refused: [HIDDEN] })).toEqual(["undecided not_granted"]);
    expect(describeFindings(COUNT, {})).toEqual(["undecided not_read"]);
    expect(describeFindings(COUNT, { stages: [on("w", { ...change("aws_x.a", BARE), type: "" })] })).toEqual([
      "undecided not_stated",
    ]);
  });

  test("and named, with what is wrong and what was probably meant", () => {
    const own = tags({ team: "payment", Center: "CC-1", app: "" });
    const other = tags({ team: "a word that is near to none", center: "CC-1", app: "x" });
    const stages = [on("w", change("aws_x.a", own), change("aws_x.b", other), change("aws_x.c", null))];
    const [finding] = verdict(COUNT, { stages }).findings;
    expect(finding).toMatchObject({ outcome: "undecided", items: [] });
    const found = finding?.tagProblems?.map(({ item, key, found, nearest, otherKey, pattern, values }) =>
      [item, key, found, nearest, otherKey, pattern, values.join("|")].map((one) => one ?? "-").join(" · "),
    );
    expect(found).toEqual([
      "w: aws_x.a · team · payment · payments · - · - · ",
      "w: aws_x.a · center · - · - · Center · - · ",
      "w: aws_x.a · app ·  · - · - · - · ",
      "w: aws_x.b · team · a word that is near to none · - · - · - · payments|search|ops",
      "w: aws_x.b · center · CC-1 · - · - · CC-[0-9]{2} · ",
    ]);
    const passes = verdict(rule("untagged: 9"), {
      stages: stages.slice(0, 0).concat(on("w", change("aws_x.a", own))),
    });
    expect(passes.findings[0]).toMatchObject({ outcome: "passed", items: [] });
    expect(passes.findings[0]).not.toHaveProperty("tagProblems");
  });
});

describe("the cost of untagged resources", () => {
  type Priced = readonly [address: string, costs: string];
  const paid = (costs: readonly Priced[], rows: readonly ResourceChange[], but: Partial<StageCost> = {}) =>
    stage({
      workspace: "w",
      rows: listed(...rows),
      cost: known(
        cost("0 > 1000", {
          groups: [
            group(
              "aws_x",
              "0 > 1000",
              costs.map(([address, text]) => resource(address, text)),
            ),
          ],
          ...but,
        }),
      ),
    });
  const A = change("aws_x.a", BARE);
  const usage = (but: Partial<NonNullable<StageCost["usage"]>>) => ({
    usage: { resources: [], unnamed: 0, unnamedUnchanged: 0, ...but },
  });

  test.each<[why: string, stage: StageFacts, found: string]>([
    [
      "is what they cost afterwards",
      paid(
        [
          ["aws_x.a", "30 > 40"],
          ["aws_x.b", "0 > 5"],
        ],
        [A, change("aws_x.b", tags(ALL))],
      ),
      "violated 40 USD",
    ],
    ["is nothing where none is untagged", paid([], [change("aws_x.b", tags(ALL))]), "passed 0 USD"],
    ["is nothing for a new one that is priced and costs nothing", paid([], [A]), "passed 0 USD"],
    [
      "is unknown for a changed one whose cost may stay",
      paid([], [change("aws_x.a", BARE, "changed")]),
      "undecided cost of w: aws_x.a",
    ],
    [
      "is the cost that stays, where the estimate lists it",
      paid([], [change("aws_x.a", BARE, "changed")], {
        listed: [{ address: "aws_x.a", type: "aws_x", cost: decimal("7") }],
      }),
      "violated 7 USD",
    ],
    [
      "is nothing for a changed one that is not listed among all",
      paid([], [change("aws_x.a", BARE, "changed")], { listed: [] }),
      "passed 0 USD",
    ],
    [
      "is unknown where its type is unpriced",
      paid([], [A], { unpriced: { count: 1, types: { aws_x: 1 } } }),
      "undecided cost of w: aws_x.a",
    ],
    [
      "is known for a priced one of a partly unpriced type",
      paid([["aws_x.a", "0 > 4"]], [A], { unpriced: { count: 1, types: { aws_x: 1 } } }),
      "violated 4 USD",
    ],
    [
      "is unknown where the unpriced ones are not stated",
      paid([], [A], { unpriced: null }),
      "undecided cost of w: aws_x.a",
    ],
    [
      "is unknown where the amount is not stated",
      paid([["aws_x.a", "0 > ?"]], [A]),
      "undecided cost of w: aws_x.a",
    ],
    [
      "is unknown where it is usage-based",
      paid(
        [["aws_x.a", "0 > 4"]],
        [A],
        usage({ resources: [{ address: "aws_x.a", type: "aws_x", change: "added" }] }),
      ),
      "undecided usage",
    ],
    [
      "is unknown where unnamed ones are usage-based",
      paid([["aws_x.a", "0 > 4"]], [A], usage({ unnamed: 1 })),
      "undecided usage",
    ],
    [
      "is unknown where tags are",
      paid([["aws_x.a", "0 > 4"]], [change("aws_x.a", null)]),
      "undecided tags_not_read of w: aws_x.a",
    ],
    ["is nothing for what is free, whatever its tags", paid([], [change("aws_x.a", null)]), "passed 0 USD"],
    [
      "is unknown in a part of an estimate",
      paid([["aws_x.a", "0 > 4"]], [A], { completeness: "partial" }),
      "undecided partial",
    ],
    [
      "is known without untagged resources in a part of an estimate",
      paid([], [change("aws_x.a", tags(ALL))], { completeness: "partial" }),
      "passed 0 USD",
    ],
    ["is in one currency", paid([["aws_x.a", "0 > 4"]], [A], { currency: "EUR" }), "undecided EUR for USD"],
    ["is in no currency where it is nothing", paid([], [A], { currency: "EUR" }), "passed 0 USD"],
  ])("%s", (_, one, found) => expect(describeFindings(COST, { stages: [one] })).toEqual([found]));

  test("names the resources that cost something", () => {
    const one = paid([["aws_x.a", "0 > 4"]], [A, change("aws_y.free", BARE)]);
    expect(verdict(COST, { stages: [one] }).findings[0]?.items).toEqual(["w: aws_x.a"]);
  });
});

describe("required tags of two files", () => {
  const above = `rules: [{ id: r, limit: { untagged: 0 } }]${TAGS}`;

  test("add up, and what a repository excepts is excepted from its own", () => {
    const both = policy("tags: { required: [{ key: own }], except: { types: [aws_x] } }", above);
    const told = (address: string) => {
      const [finding] = verdict(both, { stages: [on("w", change(address, BARE))] }).findings;
      return finding?.tagProblems?.map(({ key }) => key);
    };
    expect(told("aws_x.a")).toEqual(["team", "center", "app"]);
    expect(told("aws_y.a")).toEqual(["team", "center", "app", "own"]);
    expect(told("aws_iam_x.a")).toEqual(["own"]);
  });

  test("are needed by the limits that count what misses them", () => {
    const rules = "version: 1\nrules: [{ id: r, limit: { untagged-cost: 5 USD } }]";
    const message =
      "rules[0].limit.untagged-cost: counts resources without required tags; add tags.required, which names them";
    expect(problems(rules)).toBe(`repo.yml:2:42 ${message}`);
    expect(problems(null, rules)).toBe(`org.yml:2:42 ${message}`);
    expect(problems(rules, `version: 1${TAGS}`)).toBe("");
  });
});
