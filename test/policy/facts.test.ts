import { describe, expect, test } from "vitest";
import type { BudgetUse } from "../../src/policy/model/context.ts";
import type { ContextFacts, Savings, UnitCost } from "../../src/report/model/context.ts";
import type { Fact, StageFacts } from "../../src/report/model/facts.ts";
import { unitCost } from "../render/evaluation-builder.ts";
import { cost, counts, group, known, listed, priced, resource, row, stage } from "../report/facts.ts";
import { at, describeFindings, HIDDEN, money, use, verdict } from "./evaluate-facts.ts";
import { policy, rule } from "./policies.ts";

const when = (condition: string) => policy(`rules: [{ id: r, when: '${condition}' }]`);
const PLACE = { org: "acme", project: "shop" };
const savings = (totals: readonly string[], but: Partial<Savings> = {}): Fact<Savings> =>
  known({
    totals: totals.map(money),
    items: totals.map((total, at) => ({
      recommendationId: `${at}`,
      address: `aws_instance.a${at}`,
      workspace: "production",
      resourceType: "aws_instance",
      change: "changed",
      monthly: money(total),
    })),
    unmatched: 0,
    ...but,
  });
const unit = (metric: string, before: string | null, after: string | null): UnitCost => ({
  ...unitCost(metric, before ?? "0", after),
  ...(before === null && { before }),
});
const UNIT = "unit-cost: { metric: o, percent: 5 }";
const perUnit = (...units: readonly UnitCost[]) => ({ unitCosts: known(units) });
const anomalies = (count: number, cost: string | null = null) =>
  known({ count, impact: cost === null ? null : money(cost), items: [] });
const failures = (failed: number) => known({ day: "2026-01-01", failed, total: 9, statuses: {} });

describe("limits on the platform's facts for a pull request", () => {
  test.each<[string, Partial<ContextFacts>, string]>([
    ["missed-savings: 50 USD", { savings: savings(["50 USD"]) }, "passed 50 USD"],
    ["missed-savings: 50 USD", { savings: savings(["50.01 USD"]) }, "violated 50.01 USD"],
    ["missed-savings: 50 USD", { savings: savings([]) }, "passed 0 USD"],
    ["missed-savings: 50 USD", { savings: savings(["1 EUR"]) }, "undecided EUR for USD"],
    ["missed-savings: 50 USD", { savings: savings(["1 USD"], { unmatched: 1 }) }, "undecided partial"],
    ["anomalies: 2", { anomalies: anomalies(2) }, "passed 2"],
    ["anomalies: 2", { anomalies: anomalies(3) }, "violated 3"],
    ["anomaly-cost: 50 USD", { anomalies: anomalies(2, "50 USD") }, "passed 50 USD"],
    ["anomaly-cost: 50 USD", { anomalies: anomalies(2, "50.01 USD") }, "violated 50.01 USD"],
    ["anomaly-cost: 50 USD", { anomalies: anomalies(0, "0 EUR") }, "passed 0 USD"],
    ["anomaly-cost: 50 USD", { anomalies: anomalies(1, "1 EUR") }, "undecided EUR for USD"],
    ["anomaly-cost: 50 USD", { anomalies: anomalies(1) }, "undecided not_stated"],
    ["governance-failures: 0", { governance: failures(0) }, "passed 0"],
    ["governance-failures: 0", { governance: failures(1) }, "violated 1"],
    [UNIT, perUnit(unit("o", "100", "105")), "passed 5"],
    [UNIT, perUnit(unit("o", "100", "105.01")), "violated 5.01"],
    [UNIT, perUnit(unit("o", "100", "50")), "passed -50"],
    [UNIT, perUnit(unit("o", "0", "1")), "violated increase_from_zero"],
    [UNIT, perUnit(unit("o", null, "1")), "undecided not_stated"],
    [UNIT, perUnit(unit("o", "1", null)), "undecided not_stated"],
    [UNIT, perUnit(unit("x", "1", "1")), "undecided not_stated"],
    [UNIT, perUnit(unit("o", "1", "1"), unit("o", "1", "9")), "violated 800"],
    [UNIT, perUnit(unit("o", "1", "1"), unit("o", "1", null)), "undecided not_stated"],
  ])("%s on %j: %s", (limit, context, expected) => {
    expect(describeFindings(rule(limit), { stages: [stage()], context })).toEqual([expected]);
  });

  const LIMITS = [
    ["missed-savings: 9999 USD", "savings", savings([])],
    ["anomalies: 9999", "anomalies", anomalies(0)],
    ["anomaly-cost: 9999 USD", "anomalies", anomalies(1, "0 USD")],
    ["governance-failures: 9999", "governance", failures(0)],
    ["unit-cost: { metric: o, percent: 9999 }", "unitCosts", known([unit("o", "1", "1")])],
  ] as const;
  test.each(LIMITS)("%s needs to know", (limit, fact, value) => {
    const says = (given: Fact<unknown>) =>
      describeFindings(rule(limit), {
        stages: [stage()],
        context: { [fact]: given } as Partial<ContextFacts>,
      });
    expect(says(value)[0]).toMatch(/^passed/);
    expect(says({ state: "absent" })).toEqual(["undecided not_stated"]);
    expect(says({ state: "unknown", reason: "not_granted" })).toEqual(["undecided not_granted"]);
    expect(says({ state: "stale", value: value.state === "known" ? value.value : null, ageMs: 9 })).toEqual([
      "undecided unavailable",
    ]);
    expect(describeFindings(rule(limit), { stages: [stage()] })).toEqual(["undecided not_read"]);
    expect(verdict(rule(limit), {}).kind).toBe("undecided");
  });

  const PROMPTS = known([
    { description: "Stop idle instances", resource: "aws.ec2", types: ["aws_instance", "aws_spot"] },
  ]);
  const schedule = (ms: number, but: object = {}) =>
    known([
      { ...PLACE, provisioner: "x", driftEveryMs: null, lifetime: { ms, onDate: null }, ...but },
    ] as const);
  const TEN = stage({ ...PLACE, cost: known(cost("0 > 730")), counts: known(counts({ added: 1 })) });
  const CONDITIONS = [
    ["savings.exists(s, s.monthly > 9999)", "savings", savings([]), "undecided not_stated"],
    ["anomalies.count > 9999", "anomalies", anomalies(0), "undecided not_stated"],
    ["anomalies.cost > 9999", "anomalies", anomalies(1, "1 USD"), "undecided not_stated"],
    ["governance.failed > 9999", "governance", failures(0), "undecided not_stated"],
    [
      "unit_costs.exists(u, u.percent > 9.0)",
      "unitCosts",
      known([unit("o", "1", "1")]),
      "undecided not_stated",
    ],
    ['governance_prompts.exists(p, p.type == "aws_x")', "prompts", PROMPTS, "undecided not_stated"],
    ["lifetimes.exists(l, l.amount > 9999)", "schedules", schedule(3_600_000), "passed"], // nothing is destroyed by itself
  ] as const;
  test.each(CONDITIONS)("%s needs to know it", (...[condition, fact, value, absent]) => {
    const says = (given: Fact<unknown>) =>
      describeFindings(when(condition), {
        stages: [TEN],
        context: { [fact]: given } as Partial<ContextFacts>,
      });
    const old = value.state === "known" ? value.value : null;
    expect(says(value)).toEqual(["passed"]);
    expect(says({ state: "absent" })).toEqual([absent]);
    expect(says({ state: "unknown", reason: "timed_out" })).toEqual(["undecided timed_out"]);
    expect(says({ state: "stale", value: old, ageMs: 9 })).toEqual(["undecided unavailable"]);
  });

  test("the amounts of a unit rest on no stage's cost", () => {
    const condition = "unit_costs.exists(u, u.after < u.before) && stages.size() > 0";
    const given = {
      stages: [stage({ cost: { state: "unknown", reason: "timed_out" } })],
      context: { unitCosts: known([unit("o", "2", "1")]) },
    } as const;
    expect(describeFindings(when(condition), given)).toEqual(["violated 1"]);
    expect(describeFindings(when(`${condition} && stages[0].after > 1`), given)).toEqual([
      "undecided timed_out",
    ]);
  });

  test.each<[string, Partial<ContextFacts>, string]>([
    ['governance_prompts.exists(p, p.type == "aws_spot")', { prompts: PROMPTS }, "violated 1"],
    ['governance_prompts.exists(p, p.description.contains("idle"))', { prompts: PROMPTS }, "violated 1"],
    ['governance_prompts.exists(p, p.resource == "aws.ec2")', { prompts: known([]) }, "passed"],
    ["lifetimes.exists(l, l.amount > 9.99)", { schedules: schedule(36_000_000) }, "violated 1"],
    ["lifetimes.exists(l, l.amount > 10.01)", { schedules: schedule(36_000_000) }, "passed"],
    ["lifetimes.exists(l, l.hours >= 10.0)", { schedules: schedule(36_000_000) }, "violated 1"],
    [
      "lifetimes.exists(l, l.amount > 10)",
      { schedules: schedule(0, { lifetime: { ms: null, onDate: "2026-05-01" } }) },
      "undecided not_stated",
    ],
    ["anomalies.cost > 9.99", { anomalies: anomalies(1, "10 USD") }, "violated"],
    ["anomalies.cost > 9.99", { anomalies: anomalies(1) }, "undecided not_stated"],
    ["anomalies.count > 0", { anomalies: anomalies(1) }, "violated"],
    ['anomalies.currency == "USD" && anomalies.cost <= 10', { anomalies: anomalies(0, "0 USD") }, "violated"],
    ["lifetimes.size() > 0", { schedules: schedule(9, { project: "elsewhere" }) }, "passed"],
    [
      'unit_costs.exists(u, u.perspective == "shop" && u.percent > 5.0)',
      { unitCosts: known([{ ...unit("o", "1", "2"), perspective: "shop" }]) },
      "violated 1",
    ],
  ])("%s on %j: %s", (condition, context, expected) => {
    expect(describeFindings(when(condition), { stages: [TEN], context })).toEqual([expected]);
  });

  const DRIFTED = stage({
    cost: known(cost("50 > 20", { groups: [group("aws_vm", "40 > 10", [resource("aws_vm.w", "40 > 10")])] })),
    counts: known(counts({ drifted: 1, changed: 1 })),
    rows: listed(row("aws_vm.w", "drifted"), row("aws_vm.w", "changed")),
  });
  test.each<[string, Partial<StageFacts>, string]>([
    ["drift.exists(d, d.drift < -29.99)", {}, "violated 1"],
    ["drift.exists(d, d.own != 0)", {}, "passed"],
    ["drift.size() > 0", { counts: known(counts({ changed: 1 })) }, "passed"],
    ["drift.size() > 0", { counts: { state: "unknown", reason: "not_indexed" } }, "undecided not_indexed"],
    ["drift.size() > 0", { rows: { state: "unknown", reason: "not_indexed" } }, "undecided partial"],
    ["drift.size() > 0", { cost: { state: "unknown", reason: "timed_out" } }, "undecided timed_out"],
    ["drift.size() > 0", { cost: { state: "absent" } }, "undecided not_estimated"],
    [
      "drift.size() > 0",
      { cost: { state: "stale", value: cost("1 > 1"), ageMs: 9 } },
      "undecided unavailable partial",
    ],
  ])("%s where a stage is %j: %s", (condition, but, expected) => {
    const given = { stages: [{ ...DRIFTED, ...but }] };
    expect(describeFindings(when(condition), given)[0]).toBe(expected);
  });

  test("name what a condition found: a rule by its description, a total by its currency", () => {
    const found = (condition: string) =>
      verdict(when(condition), {
        stages: [TEN],
        context: { prompts: PROMPTS },
      }).findings[0]?.items;
    expect(found("governance_prompts.exists(p, true)")).toEqual(["Stop idle instances"]);
    expect(found("costs.exists(c, c.change > 1)")).toEqual(["USD"]);
  });

  test("in a scope are evaluated where the pull request touches what it names", () => {
    const given = { stages: [stage({ workspace: "staging" })], context: { anomalies: anomalies(9) } };
    expect(describeFindings(rule("anomalies: 0", "scope: { workspaces: [staging] }"), given)).toEqual([
      "violated 9",
    ]);
    expect(describeFindings(rule("anomalies: 0", "scope: { workspaces: [prod] }"), given)).toEqual([
      "not_applicable",
    ]);
    expect(
      verdict(rule("anomalies: 0", "scope: { workspaces: [prod] }"), { ...given, refused: [HIDDEN] }).kind,
    ).toBe("block");
  });
});

describe("budgets", () => {
  const budget = (members = "", names = "") =>
    policy(`${names}\nbudgets: [{ id: b, amount: 1000 USD${members === "" ? "" : `, ${members}`} }]`);
  const OWN = priced("prod-a", "300 > 400");
  const pull = (number: number, workspace: string, amount: string) => ({ number, ...at(workspace, amount) });

  test.each<[string, BudgetUse | null, string]>([
    ["nothing else", use(), "passed 400 USD"],
    ["another workspace up to it", use({ workspaces: [at("prod-b", "600 USD")] }), "passed 1000 USD"],
    ["another workspace over it", use({ workspaces: [at("prod-b", "600.01 USD")] }), "violated 1000.01 USD"],
    ["the same workspace as it was", use({ workspaces: [at("prod-a", "9000 USD")] }), "passed 400 USD"],
    ["another pull request", use({ pulls: [pull(8, "prod-b", "700 USD")] }), "violated 1100 USD"],
    ["another one on the same one", use({ pulls: [pull(8, "prod-a", "700 USD")] }), "violated 1100 USD"],
    [
      "one that saves, which may never be merged",
      use({ workspaces: [at("prod-b", "700 USD")], pulls: [pull(8, "prod-b", "-700 USD")] }),
      "violated 1100 USD",
    ],
    [
      "one that moves cost from here to there",
      use({ pulls: [pull(8, "prod-a", "-700 USD"), pull(8, "prod-b", "900 USD")] }),
      "passed 600 USD",
    ],
    ["another currency", use({ workspaces: [at("prod-b", "1 EUR")] }), "undecided EUR for USD"],
    ["another currency that costs nothing", use({ workspaces: [at("prod-b", "0 EUR")] }), "passed 400 USD"],
    ["one in another currency", use({ pulls: [pull(8, "prod-b", "-1 EUR")] }), "undecided EUR for USD"],
    [
      "a workspace of which it is not known",
      use({ unknown: [{ org: "o", project: "p", workspace: "w" }] }),
      "undecided not_estimated",
    ],
  ])("beside %s", (_, budgetUse, expected) => {
    expect(describeFindings(budget(), { stages: [OWN], pull: { budgetUse } })).toEqual([expected]);
  });

  test.each<[string, Partial<StageFacts>]>([
    ["execution_failed", { status: "failed" }],
    ["timed_out", { cost: { state: "unknown", reason: "timed_out" } }],
    ["partial", { cost: known(cost("1 > 1", { completeness: "partial" })) }],
    ["EUR for USD", { cost: known(cost("1 > 1", { currency: "EUR" })) }],
  ])("are undecided by a stage that is %s", (because, but) => {
    const given = { stages: [OWN, priced("prod-b", "1 > 1", but)], pull: { budgetUse: use() } };
    expect(describeFindings(budget(), given)).toEqual([`undecided ${because}`]);
  });

  test("are for the workspaces of their scope, by name and by what the policy calls them", () => {
    const budgetUse = use({ workspaces: [at("prod-b", "700 USD"), at("dev", "9000 USD")] });
    const given = { stages: [OWN, priced("dev-2", "0 > 9000")], pull: { budgetUse } };
    const names = 'stages: [{ match: { workspace: "prod-*" }, name: Production }]';
    for (const scope of ['workspaces: ["prod-*"]', "stages: [Production]"])
      expect(describeFindings(budget(`scope: { ${scope} }`, names), given)).toEqual(["violated 1100 USD"]);
    expect(describeFindings(budget("scope: { workspaces: [other] }"), given)).toEqual(["not_applicable"]);
    expect(verdict(budget("scope: { workspaces: [de] }"), given).findings[0]?.mismatch).toMatchObject({
      here: ["dev-2", "prod-a"],
      meant: null,
    });
    const untouched = verdict(budget("scope: { workspaces: [dev] }"), given).findings[0];
    expect(untouched?.mismatch).toMatchObject({ meant: null, elsewhere: true });
    const unknownElsewhere = use({ unknown: [{ org: "o", project: "p", workspace: "dev" }] });
    expect(
      describeFindings(budget('scope: { workspaces: ["prod-*"] }'), {
        stages: [OWN],
        pull: { budgetUse: unknownElsewhere },
      }),
    ).toEqual(["passed 400 USD"]);
  });

  test("an estimate that is compared with nothing exceeds it, because nobody knows that the change raises nothing", () => {
    const uncompared = priced("prod-a", "? > 1100", {
      cost: known(cost("? > 1100", { comparison: "nothing" })),
    });
    const [found] = verdict(budget(), { stages: [uncompared], pull: { budgetUse: use() } }).findings;
    expect(found).toMatchObject({ outcome: "violated", enforce: "block" });
    expect(found).not.toHaveProperty("alreadyAbove");
  });

  test("are undecided by an execution that may not be shown, warn where they say so, and can be waived", () => {
    expect(
      describeFindings(budget(), { stages: [OWN], refused: [HIDDEN], pull: { budgetUse: use() } }),
    ).toEqual(["undecided not_granted"]);
    const over = { stages: [priced("prod-a", "0 > 1100")], pull: { budgetUse: use() } };
    expect(verdict(budget("enforce: warn"), over).kind).toBe("warn");
    const excepted = (upTo: string) =>
      policy(`budgets: [{ id: b, amount: 1000 USD }]
waivers: [{ rule: b, up_to: ${upTo}, until: 2027-03-31, reason: r, owner: o }]`);
    expect(verdict(excepted("1100 USD"), over).kind).toBe("pass");
    expect(verdict(excepted("1099 USD"), over).kind).toBe("block");
  });
});

describe("what the organisation binds a repository to", () => {
  const BOUND = "budgets: [{ id: b, amount: 5 USD, mandatory: true }]";
  test("budgets too: no repository can redefine one, or expect nothing beside one", () => {
    expect(() => policy("budgets: [{ id: b, amount: 9 USD }]", BOUND)).toThrow(
      "mandatory rule of the organisation",
    );
    expect(() => policy("rules: [{ id: b, limit: { drift: 0 } }]", BOUND)).toThrow("mandatory rule");
    expect(() => policy("budgets: [{ id: c, amount: 9 USD, mandatory: true }]")).toThrow(
      "organisation's file only",
    );
    expect(policy("expect: []", BOUND).expect).toHaveLength(1);
  });

  test("a default is replaced by its id, and waivers of both files count", () => {
    const organisation = `rules: [{ id: r, limit: { increase: 5 USD } }]
waivers: [{ rule: r, up_to: 6 USD, until: 2027-03-31, reason: a, owner: o }]`;
    const repository = "waivers: [{ rule: r, up_to: 7 USD, until: 2027-03-31, reason: b, owner: o }]";
    expect(policy(repository, organisation).waivers).toHaveLength(2);
    expect(policy("budgets: [{ id: r, amount: 9 USD }]", organisation).rules).toMatchObject([
      { id: "r", limit: { kind: "budget" } },
    ]);
  });
});
