import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BudgetUse } from "../../src/policy/model/context.ts";
import { decideEffect } from "../../src/policy/model/finding.ts";
import type { StageFacts } from "../../src/report/model/facts.ts";
import { cost, counts, group, known, listed, moduleCost, resource, row, stage } from "../report/facts.ts";
import { casesToTry } from "../world/depth.ts";
import { at, describeFindings, use, verdict } from "./evaluate-facts.ts";
import { policy, rule } from "./policies.ts";

const priced = (workspace: string, change: string) =>
  stage({ workspace, cost: known(cost(change)), modules: known([moduleCost("web", change)]) });

describe("a ceiling blocks only what raises the cost", () => {
  const AMOUNTS = [
    { change: "5325.30 > 3084.50", says: "violated 3084.5 USD (warn)", kind: "warn" },
    { change: "800 > 800", says: "violated 800 USD (warn)", kind: "warn" },
    { change: "800 > 800.01", says: "violated 800.01 USD", kind: "block" },
    { change: "499 > 501", says: "violated 501 USD", kind: "block" },
    { change: "800 > 500", says: "passed 500 USD", kind: "pass" },
    { change: "100 > 500", says: "passed 500 USD", kind: "pass" },
  ];

  test.each(AMOUNTS)("of 500 on $change: $says", ({ change, says, kind }) => {
    const stages = [priced("production", change)];
    for (const [per, subject] of [["pull-request"], ["stage", "production:"], ["module", "web:"]]) {
      const [finding, ...others] = describeFindings(rule("total: 500 USD", `per: ${per}`), { stages });
      expect(others).toEqual([]);
      expect(finding).toBe(subject === undefined ? says : says.replace(" ", ` ${subject} `));
    }
    const budget = policy("budgets: [{ id: b, amount: 500 USD }]");
    for (const held of [rule("total: 500 USD"), budget])
      expect(verdict(held, { stages, pull: { budgetUse: use() } }).kind).toBe(kind);
  });

  test("stage by stage: the one that rises blocks, the one that falls says that it was exceeded before", () => {
    const stages = [priced("production", "800 > 700"), priced("staging", "800 > 900")];
    const { findings } = verdict(rule("total: 500 USD", "per: stage"), { stages });
    expect(findings.map(({ subject, enforce, alreadyAbove }) => [subject, enforce, alreadyAbove])).toEqual([
      ["staging", "block", undefined],
      ["production", "warn", true],
    ]);
  });

  test("in a budget too, with what the others cost and add", () => {
    const budgetUse = use({
      workspaces: [at("shared", "900 USD")],
      pulls: [{ ...at("shared", "200 USD"), number: 9 }],
    });
    const budget = policy("budgets: [{ id: b, amount: 1000 USD }]");
    const of = (change: string) =>
      describeFindings(budget, { stages: [priced("production", change)], pull: { budgetUse } });
    expect(of("50 > 40")).toEqual(["violated 1140 USD (warn)"]);
    expect(of("40 > 50")).toEqual(["violated 1150 USD"]);
  });

  test.each<[string, BudgetUse | null]>([
    ["nobody could read", null],
    ["is not known", use({ unknown: [at("shared", "0 USD")] })],
    ["is in another currency", use({ workspaces: [at("shared", "1 EUR")] })],
  ])("and a saving is not blocked by what %s of the others: it warns", (_what, budgetUse) => {
    const budget = policy("budgets: [{ id: b, amount: 1000 USD }]");
    const kind = (change: string) =>
      verdict(budget, { stages: [priced("production", change)], pull: { budgetUse } }).kind;
    expect(kind("50 > 40")).toBe("warn");
    expect(kind("40 > 50")).toBe("undecided");
  });

  test("and what may raise it: an unknown cost is never taken for a saving", () => {
    const stages = [priced("production", "900 > 100"), priced("staging", "? > ?")];
    expect(verdict(rule("total: 500 USD"), { stages }).kind).toBe("undecided");
    const budget = policy("budgets: [{ id: b, amount: 500 USD }]");
    expect(verdict(budget, { stages, pull: { budgetUse: use() } }).kind).toBe("undecided");
  });

  test("a waiver stays in force where the rest is already above", () => {
    const excepted = policy(`rules: [{ id: r, limit: { total: 500 USD }, per: stage }]
waivers: [{ rule: r, scope: { workspaces: [new] }, up_to: 900 USD, until: 2027-03-31, reason: a, owner: b }]`);
    const stages = [priced("new", "0 > 800"), priced("old", "2000 > 1900")];
    expect(describeFindings(excepted, { stages })).toEqual([
      "violated old: 1900 USD (warn)",
      "violated new: 800 USD (waived)",
    ]);
  });

  test("a waiver covers what is already above up to its amount", () => {
    const excepted = (upTo: string) =>
      policy(`rules: [{ id: r, limit: { total: 500 USD } }]
waivers: [{ rule: r, up_to: ${upTo}, until: 2027-03-31, reason: a, owner: b }]`);
    const stages = [priced("production", "900 > 800")];
    expect(verdict(excepted("800 USD"), { stages }).kind).toBe("pass");
    expect(verdict(excepted("799 USD"), { stages }).kind).toBe("warn");
  });
});

describe("limits on what is introduced", () => {
  const unpriced = (types: Readonly<Record<string, number>>) => ({
    types,
    count: Object.values(types).reduce((sum, count) => sum + count, 0),
  });
  const withUnpriced = (but: Partial<StageFacts>) =>
    stage({ cost: known(cost("1 > 1", { unpriced: unpriced({ cloud_thing: 2 }) })), ...but });

  const changing = (change: Parameters<typeof row>[1], names: string, but: Parameters<typeof counts>[0]) =>
    withUnpriced({
      rows: listed(...names.split(" ").map((name) => row(name, change))),
      counts: known(counts(but)),
    });
  const NO_PLAN = { state: "unknown", reason: "no_plan" } as const;
  const unread = known({ rows: [], omitted: 0, unread: 3 });
  const MORE = "cloud_thing.a cloud_thing.b cloud_thing.c";
  test.each<[string, StageFacts, string]>([
    [
      "the plan leaves them as they are",
      changing("added", "cloud_disk.a", { added: 1, unchanged: 9 }),
      "passed 0",
    ],
    [
      "the plan adds one of them",
      changing("added", "cloud_thing.a", { added: 1, unchanged: 9 }),
      "violated 1",
    ],
    [
      "the plan changes more of the type than have no price",
      changing("changed", MORE, { changed: 3 }),
      "violated 2",
    ],
    [
      "the plan deletes others",
      changing("deleted", "cloud_thing.a", { deleted: 1, unchanged: 2 }),
      "passed 0",
    ],
    ["there is no plan", withUnpriced({ rows: NO_PLAN, counts: NO_PLAN }), "violated 2"],
    [
      "not every change is listed",
      withUnpriced({ rows: unread, counts: known(counts({ changed: 3 })) }),
      "violated 2",
    ],
    ["the plan knows of fewer resources", withUnpriced({}), "violated 2"],
  ])("unpriced, where %s", (_what, facts, introduced) => {
    const told = (...members: readonly string[]) =>
      describeFindings(rule("unpriced: 0", ...members), { stages: [facts] });
    expect(told()).toEqual([introduced]);
    expect(told("existing: include")).toEqual(["violated 2"]);
    expect(told("existing: include", "per: stage")).toEqual(["violated production: 2"]);
  });

  const drifted = (but: Partial<StageFacts>) =>
    stage({ counts: known(counts({ drifted: 2, changed: 1 })), ...but });
  const DRIFT = [row("cloud_disk.a", "drifted"), row("cloud_disk.b", "drifted")];

  const beside = (other: ReturnType<typeof row>) => drifted({ rows: listed(...DRIFT, other) });
  test.each<[string, StageFacts, string]>([
    ["the plan touches none of it", beside(row("cloud_disk.c", "changed")), "passed 0"],
    ["the plan overwrites one", beside(row("cloud_disk.a", "changed")), "violated 1"],
    ["the plan builds one anew", beside(row("cloud_disk.b", "added")), "violated 1"],
    ["it is not listed", drifted({ rows: listed() }), "violated 2"],
    [
      "not every change is listed",
      drifted({ rows: known({ rows: DRIFT, omitted: 0, unread: 1 }) }),
      "violated 2",
    ],
    ["the rows are not known", drifted({ rows: { state: "unknown", reason: "timed_out" } }), "violated 2"],
  ])("drift, where %s", (_what, facts, introduced) => {
    expect(describeFindings(rule("drift: 0"), { stages: [facts] })).toEqual([introduced]);
    expect(describeFindings(rule("drift: 0", "existing: include"), { stages: [facts] })).toEqual([
      "violated 2",
    ]);
  });

  test("name what they count", () => {
    const stages = [drifted({ rows: listed(...DRIFT, row("cloud_disk.a", "changed")) })];
    const items = (...members: readonly string[]) =>
      verdict(rule("drift: 0", ...members), { stages }).findings[0]?.items;
    expect(items()).toEqual(["production: cloud_disk.a"]);
    expect(items("existing: include")).toEqual(["production: cloud_disk.a", "production: cloud_disk.b"]);
  });

  test("two rules on one report are evaluated each by its own choice", () => {
    const both = policy(`rules:
  - { id: new, limit: { drift: 0 } }
  - { id: all, limit: { drift: 0 }, existing: include }`);
    const stages = [drifted({ rows: listed(...DRIFT) })];
    expect(
      verdict(both, { stages }).findings.map((finding) => [finding.rule, decideEffect(finding)]),
    ).toEqual([
      ["all", "block"],
      ["new", "pass"],
    ]);
  });
});

test("a change that lowers every measured figure is never blocked", () => {
  const cents = fc.nat(1_000_000);
  const text = (value: number) => (value / 100).toFixed(2);
  const one = fc.tuple(cents, cents, fc.nat(3)).map(([after, less, kept], index = 0) => {
    const change = `${Number(text(after + less))} > ${Number(text(after))}`;
    const address = `cloud_disk.d${index}`;
    return {
      cost: known(
        cost(change, {
          groups: [group("cloud_disk", change, [resource(address, change)])],
          unpriced: { count: kept, types: kept === 0 ? {} : { cloud_thing: kept } },
          usage: {
            resources: [
              { address: "cloud_queue.old", type: "cloud_queue", change: "unchanged" },
              { address: "cloud_queue.gone", type: "cloud_queue", change: "deleted" },
            ],
            unnamed: 0,
            unnamedUnchanged: kept,
          },
        }),
      ),
      modules: known([moduleCost("root", change)]),
      counts: known(counts({ changed: 1, unchanged: 20, drifted: kept })),
      rows: listed(
        row(address, "changed"),
        ...Array.from({ length: kept }, (_, at) => row(`cloud_net.n${at}`, "drifted")),
      ),
    } satisfies Partial<StageFacts>;
  });
  const limits = ["increase: 0 USD", "percent: 0", "total: 1 USD", "unpriced: 0", "usage: 0", "drift: 0"];
  const lines = limits.flatMap((limit, at) => [
    `  - { id: whole-${at}, limit: { ${limit} } }`,
    `  - { id: each-${at}, limit: { ${limit} }, per: stage }`,
  ]);
  const held = policy(`rules:\n${lines.join("\n")}\nbudgets: [{ id: b, amount: 1 USD }]`);
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), fc.boolean(), (parts, isReadable) => {
      const stages = parts.map((part, at) => stage({ workspace: `w${at}`, ...part }));
      const budgetUse = isReadable ? use({ workspaces: [at("other", "5000 USD")] }) : null;
      const { kind, findings } = verdict(held, { stages, pull: { budgetUse } });
      expect(findings.filter((finding) => ["block", "undecided"].includes(decideEffect(finding)))).toEqual(
        [],
      );
      expect(["pass", "warn"]).toContain(kind);
    }),
    { numRuns: casesToTry({ usual: 80, deep: 300 }) },
  );
});
