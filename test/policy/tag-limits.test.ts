import { describe, expect, test } from "vitest";
import type { BudgetUse } from "../../src/policy/model/context.ts";
import { buildReport } from "../../src/report/build.ts";
import { addDivided, divideAmount } from "../../src/report/tags.ts";
import { facts } from "../report/facts.ts";
import { at, describeFindings, money, use, verdict } from "./evaluate-facts.ts";
import { policy, problems, rule } from "./policies.ts";
import { tagged } from "./tagged.ts";

const PER = "per: { tag: team }";

describe("a limit for each value of a tag", () => {
  const TWO = { "aws_x.a": "0 > 400 payments", "aws_x.b": "100 > 150 search" };
  test.each<[string, string, Parameters<typeof tagged>[0], readonly string[]]>([
    [
      "looks at each value",
      "increase: 300 USD",
      { total: "100 > 550", changed: TWO },
      ["violated payments: 400 USD"],
    ],
    [
      "does not need to know what stays, where it limits a change",
      "increase: 300 USD",
      { total: "900 > 1350", changed: TWO, stays: null },
      ["violated payments: 400 USD"],
    ],
    [
      "counts a resource that goes to another team as both teams' change",
      "increase: 50 USD",
      { total: "100 > 100", changed: { "aws_x.a": "100 > 100 search > payments" } },
      ["violated payments: 100 USD"],
    ],
    [
      "counts it as the former team's decrease",
      "decrease: 50 USD",
      { total: "100 > 100", changed: { "aws_x.a": "100 > 100 search > payments" } },
      ["violated search: 100 USD"],
    ],
    [
      "counts it also where its cost stays",
      "increase: 50 USD",
      { total: "100 > 100", changed: {}, stays: ["100 search > payments"] },
      ["violated payments: 100 USD"],
    ],
    [
      "looks at what has no tag and at what can carry none as one, which is no value that is called so",
      "increase: 10 USD",
      { total: "0 > 55", changed: { a: "0 > 20 -", b: "0 > 10 none", c: "0 > 25 without tag" } },
      ["violated without tag: 30 USD", 'violated "without tag": 25 USD'],
    ],
    [
      "is undecided where an unknown tag may be any team's",
      "increase: 300 USD",
      { total: "0 > 300", changed: { a: "0 > 200 payments", b: "0 > 100 ..." } },
      ["undecided tags_later of prod: b"],
    ],
    [
      "is undecided even where an unknown tag's resource gets cheaper",
      "increase: 300 USD",
      { total: "100 > 250", changed: { a: "0 > 250 payments", b: "100 > 0 ?" } },
      ["undecided tags_not_read of prod: b"],
    ],
    [
      "is undecided where unknown tags' changes cancel each other out, because they may be of two teams",
      "increase: 300 USD",
      { total: "600 > 600", changed: { a: "0 > 600 ?", b: "600 > 0 ?" } },
      ["undecided tags_not_read of prod: a, prod: b"],
    ],
    [
      "is undecided about a change beyond all listed resources",
      "increase: 300 USD",
      { total: "0 > 300", changed: { a: "0 > 200 payments" } },
      ["undecided partial"],
    ],
    [
      "limits the whole cost of a team, what stays included",
      "total: 500 USD",
      { total: "500 > 650", changed: { a: "0 > 150 payments" }, stays: ["400 payments", "100 search"] },
      ["violated payments: 550 USD"],
    ],
    [
      "does not know the whole cost of a team where what stays is not listed",
      "total: 500 USD",
      { total: "500 > 650", changed: { a: "0 > 150 payments" }, stays: null },
      ["undecided partial"],
    ],
    [
      "does not know the whole cost of a team where the tag of what stays is unknown",
      "total: 500 USD",
      { total: "500 > 650", changed: { a: "0 > 150 payments" }, stays: ["500 ?"] },
      ["undecided tags_not_read of prod: aws_x (root)"],
    ],
    [
      "limits the percentage of all that a team pays",
      "percent: 50",
      { total: "500 > 600", changed: { a: "100 > 200 payments" }, stays: ["400 payments"] },
      ["passed payments: 20"],
    ],
    [
      "knows no percentage where what stays is not listed",
      "percent: 150",
      { total: "500 > 600", changed: { a: "100 > 200 payments" }, stays: null },
      ["undecided partial"],
    ],
    [
      "is undecided about the team alone whose resource is paid by usage",
      "increase: 10 USD",
      { total: "0 > 30", changed: { a: "0 > 20 payments", b: "0 > 10 search" }, usage: ["a"] },
      ["undecided payments: usage"],
    ],
    [
      "is undecided where it is unknown whose resource is paid by usage",
      "increase: 10 USD",
      { total: "0 > 10", changed: { b: "0 > 10 -" }, usage: ["a"] },
      ["undecided usage"],
    ],
  ])("%s", (_, limit, parts, expected) => {
    expect(describeFindings(rule(limit, PER), { stages: [tagged(parts)] })).toEqual(expected);
  });
});

test("a limit for each value of a tag is undecided about changes beyond all listed resources that cancel each other out in two stages", () => {
  const stages = [
    tagged({ total: "0 > 600", changed: {} }),
    tagged({ total: "600 > 0", changed: {}, but: { workspace: "dev" } }),
  ];
  expect(describeFindings(rule("increase: 300 USD", PER), { stages })).toEqual(["undecided partial"]);
});

const BOTH = { a: "0 > 400 payments", b: "0 > 350 search", c: "0 > 50 -" };
const scoped = (scope: string, limit = "increase: 0 USD") => rule(limit, `scope: { ${scope} }`);

describe("a scope by tags", () => {
  test.each<[string, string, readonly string[]]>([
    ["tags: { team: payments }", "increase: 0 USD", ["violated 400 USD"]],
    ["tags: { team: [pay*, search] }", "increase: 0 USD", ["violated 750 USD"]],
    ["not: { tags: { team: payments } }", "increase: 0 USD", ["violated 400 USD"]],
    ["not: { tags: { team: [payments, search] } }", "increase: 0 USD", ["violated 50 USD"]],
    ["tags: { team: payments, env: prod }", "increase: 0 USD", ["not_applicable"]],
    ["tags: { team: payments }, resource_types: [aws_y]", "increase: 0 USD", ["not_applicable"]],
    ["tags: { team: platform }", "increase: 0 USD", ["not_applicable"]],
    ["tags: { team: payments }", "total: 0 USD", ["violated 400 USD"]],
  ])("%s narrows %s", (scope, limit, expected) => {
    expect(
      describeFindings(scoped(scope, limit), { stages: [tagged({ total: "0 > 800", changed: BOTH })] }),
    ).toEqual(expected);
  });

  test.each<[string, string, Parameters<typeof tagged>[0], readonly string[]]>([
    [
      "is undecided where an unknown tag may be in it",
      "increase: 300 USD",
      { total: "100 > 400", changed: { a: "0 > 400 payments", b: "100 > 0 ..." } },
      ["undecided tags_later of prod: b"],
    ],
    [
      "does not mind an unknown tag of what stays, where it limits a change",
      "increase: 300 USD",
      { total: "100 > 500", changed: { a: "0 > 400 payments" }, stays: ["100 ?"] },
      ["violated 400 USD"],
    ],
    [
      "does not know a whole cost with an unknown tag of what stays",
      "total: 300 USD",
      { total: "100 > 500", changed: { a: "0 > 400 payments" }, stays: ["100 ?"] },
      ["undecided partial tags_not_read of prod: aws_x (root)"],
    ],
    [
      "does not know a whole cost where what stays is not listed",
      "total: 300 USD",
      { total: "100 > 500", changed: { a: "0 > 400 payments" }, stays: null },
      ["undecided partial"],
    ],
    [
      "includes what stays",
      "total: 300 USD",
      { total: "250 > 350", changed: { a: "0 > 100 payments" }, stays: ["210 payments", "40 search"] },
      ["violated 310 USD"],
    ],
    [
      "includes a resource on the side on which it has the value",
      "increase: 0 USD",
      { total: "100 > 120", changed: { a: "100 > 120 search > payments" } },
      ["violated 120 USD"],
    ],
    [
      "counts deletions by the tag that the resource had",
      "deletions: 0",
      { total: "30 > 0", changed: { a: "20 > 0 payments", b: "10 > 0 search" }, but: {} },
      ["violated 1"],
    ],
    [
      "does not know the deletions among resources of unknown tags",
      "deletions: 5",
      { total: "30 > 0", changed: { a: "20 > 0 payments", b: "10 > 0 ?" } },
      ["undecided tags_not_read of prod: b"],
    ],
  ])("%s", (_, limit, parts, expected) => {
    expect(describeFindings(scoped("tags: { team: payments }", limit), { stages: [tagged(parts)] })).toEqual(
      expected,
    );
  });

  test("does not know for a condition which rows of unknown tags are in it", () => {
    const text = `rules: [{ id: r, when: '!changes.rows.exists(r, r.action == "added")', scope: { tags: { team: payments } } }]`;
    const stages = [tagged({ total: "0 > 0", changed: { a: "0 > 0 ?" } })];
    expect(describeFindings(policy(text), { stages })).toEqual(["undecided tags_not_read of prod: a"]);
  });

  test.each<[string, string, string, string]>([
    ["covers what is its team's", "0 > 450", "0 > 0 search", "violated 450 (waived)"],
    ["covers nothing where a cheaper resource may be the team's", "100 > 450", "100 > 0 ?", "violated 350"],
  ])("of a waiver %s", (_, total, cheaper, expected) => {
    const changed = { a: "0 > 400 payments", b: "0 > 50 search", c: cheaper };
    const waivers =
      "waivers: [{ rule: r, scope: { tags: { team: payments } }, up_to: 500 USD, until: 2026-03-01, reason: load, owner: ada }]";
    const text = `rules: [{ id: r, limit: { increase: 100 USD } }]\n${waivers}`;
    expect(describeFindings(policy(text), { stages: [tagged({ total, changed })] })).toEqual([
      expected.replace(/(\d+)/, "$1 USD"),
    ]);
  });

  test("that matches nothing names the value that was probably meant, and is ordinary without one", () => {
    const [finding] = verdict(scoped("tags: { team: paymnts }"), {
      stages: [tagged({ total: "0 > 800", changed: BOTH })],
    }).findings;
    expect(finding?.mismatch).toEqual({
      ...{ member: "tags", key: "team", patterns: ["paymnts"] },
      ...{ here: ["payments", "search"], more: 0, meant: "payments" },
    });
  });
});

describe("a budget of a tag's value", () => {
  const BUDGET = policy("budgets: [{ id: b, amount: 1000 USD, scope: { tags: { team: payments } } }]");
  const own = tagged({
    total: "500 > 600",
    changed: { a: "0 > 100 payments" },
    stays: ["300 payments", "200 search"],
  });
  const divided = (keys: readonly string[], ...parts: readonly (readonly [string | null, string])[]) => ({
    divided: {
      keys,
      parts: parts.map(([value, amount]) => ({ values: [value], amount: money(`${amount} USD`).amount })),
    },
  });
  test.each<[string, Partial<BudgetUse>, readonly string[]]>([
    ["counts its own part alone where there is nothing else", {}, ["passed 400 USD"]],
    [
      "counts its part of other workspaces and of other pull requests' increases",
      {
        workspaces: [{ ...at("dev", "900 USD"), ...divided(["team"], ["payments", "700"], [null, "200"]) }],
        pulls: [
          { ...at("dev", "0 USD"), number: 3, ...divided(["team"], ["payments", "50"], ["search", "-50"]) },
        ],
      },
      ["violated 1150 USD"],
    ],
    [
      "is undecided where another workspace's cost is not known by the tag",
      { workspaces: [at("dev", "900 USD"), { ...at("test", "9 USD"), ...divided(["env"], ["x", "9"]) }] },
      ["undecided team in dev, test"],
    ],
    [
      "is undecided where another pull request's increase is not known by the tag",
      { pulls: [{ ...at("dev", "10 USD"), number: 3 }] },
      ["undecided team in dev"],
    ],
  ])("%s", (_, but, expected) => {
    expect(describeFindings(BUDGET, { stages: [own], pull: { budgetUse: use(but) } })).toEqual(expected);
  });

  test("is undecided where its own stage does not list what stays", () => {
    const stages = [tagged({ total: "500 > 600", changed: { a: "0 > 100 payments" }, stays: null })];
    expect(describeFindings(BUDGET, { stages, pull: { budgetUse: use() } })).toEqual(["undecided partial"]);
  });

  test.each<[string, Parameters<typeof tagged>[0], "before" | "after" | "change", string]>([
    [
      "what is paid afterwards",
      { total: "500 > 600", changed: { a: "0 > 100 payments" }, stays: ["500 -"] },
      "after",
      "payments 100, null 500",
    ],
    [
      "what a resource takes to another team",
      { total: "100 > 120", changed: { a: "100 > 120 search > payments" } },
      "change",
      "search -100, payments 120",
    ],
    ["not what has an unknown tag", { total: "0 > 100", changed: { a: "0 > 100 ..." } }, "change", "unknown"],
    [
      "a change though what stays is not listed",
      { total: "500 > 600", changed: { a: "0 > 100 payments" }, stays: null },
      "change",
      "payments 100",
    ],
    [
      "no whole cost where what stays is not listed",
      { total: "500 > 600", changed: { a: "0 > 100 payments" }, stays: null },
      "after",
      "unknown",
    ],
  ])("of which the store keeps %s", (_, parts, of, expected) => {
    const report = buildReport(facts(tagged(parts)), { stages: [], tagKeys: ["team"] });
    const [stage] = report.stages;
    const found = stage === undefined ? null : divideAmount(report, stage, { keys: ["team"], of });
    expect(found?.parts.map(({ values, amount }) => `${values[0]} ${amount}`).join(", ") ?? "unknown").toBe(
      expected,
    );
  });

  test("is not summed over costs that are divided otherwise or unknown", () => {
    const [first, second, other] = [
      divided(["team"], ["a", "1"]),
      divided(["team"], ["a", "2"], ["b", "3"]),
      divided(["env"], ["a", "1"]),
    ];
    expect(addDivided([first.divided, second.divided])).toEqual(
      divided(["team"], ["a", "3"], ["b", "3"]).divided,
    );
    expect([
      addDivided([first.divided, other.divided]),
      addDivided([first.divided, null]),
      addDivided([]),
    ]).toEqual([null, null, null]);
  });
});

describe("what a policy says about tags wrongly", () => {
  test.each([
    ["limit: { deletions: 0 }, per: { tag: team }", 'per: found "tag", expected pull-request or stage'],
    ["limit: { increase: 0 USD }, per: tag", "expected the key of the tag too: { tag: team }"],
    ["limit: { increase: 0 USD }, per: { tags: team }", "per.tags: is not a key here; did you mean tag?"],
    [
      "limit: { increase: 0 USD }, approve: { by_tag: { key: team, teams: { a: b } } }",
      'approve.by_tag: is for rules that look at each value of the tag "team"',
    ],
    [
      "limit: { increase: 0 USD }, per: { tag: env }, approve: { by_tag: { key: team, teams: { a: b } } }",
      'approve.by_tag: is for rules that look at each value of the tag "team"',
    ],
    [
      "limit: { increase: 0 USD }, per: { tag: team }, approve: { count: 2, by_tag: { key: team, teams: { a: b } } }",
      "expected teams, users, permission or codeowners beside count",
    ],
    [
      "limit: { increase: 0 USD }, per: module, scope: { tags: { team: a } }",
      "a scope by tags has no such lines",
    ],
    ["limit: { unpriced: 0 }, scope: { tags: { team: a } }", "scope.tags: is not available for unpriced"],
    [
      "limit: { increase: 0 USD }, scope: { tags: { team: 1 } }",
      "scope.tags.team: found 1, expected a value or",
    ],
    [
      "limit: { increase: 0 USD }, scope: { tags: {} }",
      "scope.tags: found an empty mapping, expected at least one",
    ],
  ])("%s", (members, expected) => {
    expect(problems(`version: 1\nrules: [{ id: r, ${members} }]`)).toContain(expected);
  });
});
