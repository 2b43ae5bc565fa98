import { describe, expect, test } from "vitest";
import type { StageFacts, UsageBasedResources, UsageChange } from "../../src/report/model/facts.ts";
import { unitCost } from "../render/evaluation-builder.ts";
import { cost, counts, group, known, listed, moduleCost, row, stage } from "../report/facts.ts";
import { describeFindings, verdict } from "./evaluate-facts.ts";
import { policy, problems, rule } from "./policies.ts";

const QUEUE = "module.web.cloud_queue.jobs";

const usage = (change: UsageChange | null, but: Partial<UsageBasedResources> = {}): UsageBasedResources => ({
  resources: change === null ? [] : [{ address: QUEUE, type: "cloud_queue", change }],
  unnamed: 0,
  unnamedUnchanged: 0,
  ...but,
});

/** A stage that costs the same before and afterwards, beside what is paid by use. */
const used = (given: UsageBasedResources, but: Partial<StageFacts> = {}) =>
  stage({
    cost: known(
      cost("100 > 100", {
        usage: given,
        groups: [group("cloud_queue", "0 > 0"), group("cloud_disk", "5 > 5")],
      }),
    ),
    modules: known([moduleCost("root", "100 > 100"), moduleCost("web", "0 > 0")]),
    ...but,
  });

const RISING = ["increase: 500 USD", "percent: 500", "total: 500 USD"];
const CHANGES: readonly UsageChange[] = ["added", "changed", "unstated", "deleted", "given", "unchanged"];
const MAY_RISE: ReadonlySet<UsageChange> = new Set(["added", "changed", "unstated"]);

/** No plan says which resources it touches. */
const NO_ROWS = { rows: { state: "unknown", reason: "no_plan" } } as const;

describe("a limit on money, with a usage-based resource whose usage is not stated", () => {
  test.each(CHANGES)("%s: is undecided if its cost may rise by it", (change) => {
    const stages = [used(usage(change), NO_ROWS)];
    for (const limit of RISING)
      expect(describeFindings(rule(limit), { stages })[0]).toMatch(
        MAY_RISE.has(change) ? /^undecided usage$/ : /^passed/,
      );
    const falls = describeFindings(rule("decrease: 500 USD"), { stages });
    expect(falls[0]).toMatch(change === "unchanged" ? /^passed/ : /^undecided usage$/);
  });

  test("is undecided for what is counted and not named, unless that was there before", () => {
    const stages = (but: Partial<UsageBasedResources>) => [used(usage(null, but))];
    for (const limit of RISING) {
      expect(describeFindings(rule(limit), { stages: stages({ unnamed: 2 }) })).toEqual(["undecided usage"]);
      expect(describeFindings(rule(limit), { stages: stages({ unnamedUnchanged: 2 }) })[0]).toMatch(
        /^passed/,
      );
    }
  });

  test("is undecided where the resource is, and evaluated elsewhere", () => {
    const stages = [used(usage("added"), { workspace: "a" }), used(usage("unchanged"), { workspace: "b" })];
    const findings = (per: string, but = stages) =>
      describeFindings(rule("increase: 500 USD", `per: ${per}`), { stages: but });
    expect(findings("stage")).toEqual(["undecided a: usage"]);
    expect(findings("module")).toEqual(["undecided web: usage"]);
    expect(findings("resource-type")).toEqual(["undecided cloud_queue: usage"]);
    expect(findings("module", [used(usage(null, { unnamed: 1 }))])).toEqual(["undecided usage"]);
    const unlisted = used(usage("added"), { modules: known([moduleCost("root", "100 > 100")]) });
    expect(findings("module", [unlisted])).toEqual(["undecided usage"]);
  });

  test("is evaluated where its scope leaves the resource out", () => {
    const scoped = (scope: string) =>
      describeFindings(rule("increase: 500 USD", `scope: { ${scope} }`), { stages: [used(usage("added"))] });
    expect(scoped("modules: [root]")).toEqual(["passed 0 USD"]);
    expect(scoped("modules: [web]")).toEqual(["undecided usage"]);
    expect(scoped("resource_types: [cloud_disk]")).toEqual(["passed 0 USD"]);
    expect(scoped("resource_types: [cloud_queue]")).toEqual(["undecided usage"]);
  });

  test("is undecided in a budget, for a unit cost and for a condition on costs", () => {
    const given = {
      stages: [used(usage("added"))],
      pull: { budgetUse: { workspaces: [], pulls: [], unknown: [] } },
      context: { unitCosts: known([unitCost("orders", "1", "1")]) },
    };
    expect(describeFindings(policy("budgets: [{ id: b, amount: 500 USD }]"), given)).toEqual([
      "undecided usage",
    ]);
    expect(describeFindings(rule("unit-cost: { metric: orders, percent: 5 }"), given)).toEqual([
      "undecided usage",
    ]);
    for (const when of [
      "cost.change > 5",
      "modules.exists(m, m.change > 5)",
      "resources.exists(r, r.change > 5)",
    ])
      expect(describeFindings(policy(`rules: [{ id: r, when: '${when}' }]`), given)[0]).toMatch(
        /^undecided usage/,
      );
  });

  test("names the resources, and warns where the rule warns", () => {
    const stages = [used(usage("added", { unnamed: 2 }))];
    const [finding] = verdict(rule("increase: 5 USD"), { stages }).findings;
    expect(finding?.because).toEqual([{ kind: "usage", count: 3, names: [`production: ${QUEUE}`] }]);
    expect(verdict(rule("increase: 5 USD"), { stages }).kind).toBe("undecided");
    expect(verdict(rule("increase: 5 USD", "enforce: warn"), { stages }).kind).toBe("warn");
    const allowed = policy(
      "rules: [{ id: r, limit: { increase: 5 USD }, on_unknown: warn }]",
      "allow_warn_on_unknown: [r]",
    );
    expect(verdict(allowed, { stages }).kind).toBe("warn");
  });

  test("is evaluated on a platform that does not state usage, as long as every listed resource has an amount", () => {
    expect(describeFindings(rule("increase: 500 USD"), { stages: [stage()] })).toEqual(["passed 0 USD"]);
  });
});

describe("the limit on usage", () => {
  test.each<[string, UsageBasedResources, readonly [string, string]]>([
    ["a new one", usage("added"), ["violated 1", "violated 1"]],
    ["a changed one", usage("changed"), ["violated 1", "violated 1"]],
    ["one that was there before", usage("unchanged"), ["passed 0", "violated 1"]],
    ["one that is deleted", usage("deleted"), ["passed 0", "passed 0"]],
    [
      "some that nobody names",
      usage(null, { unnamed: 2, unnamedUnchanged: 3 }),
      ["violated 2", "violated 5"],
    ],
    ["none", usage(null), ["passed 0", "passed 0"]],
  ])("on %s", (_what, given, [introduced, all]) => {
    const stages = [used(given, NO_ROWS)];
    expect(describeFindings(rule("usage: 0"), { stages })).toEqual([introduced]);
    expect(describeFindings(rule("usage: 0", "existing: include"), { stages })).toEqual([all]);
    expect(describeFindings(rule("usage: 5", "existing: include"), { stages })[0]).toMatch(/^passed/);
  });

  test("takes what the plan says of an address", () => {
    const planned = listed({ ...row(QUEUE, "changed"), type: "cloud_queue" });
    const stages = [used(usage("unchanged"), { rows: planned, counts: known(counts({ changed: 1 })) })];
    expect(describeFindings(rule("usage: 0"), { stages })).toEqual(["violated 1"]);
  });

  test("names them, and can be narrowed to stages, modules and types", () => {
    const stages = [used(usage("added"), { workspace: "a" }), used(usage("added"), { workspace: "b" })];
    const [finding] = verdict(rule("usage: 0"), { stages }).findings;
    expect(finding?.items).toEqual([`a: ${QUEUE}`, `b: ${QUEUE}`]);
    const scoped = (scope: string) => describeFindings(rule("usage: 0", `scope: { ${scope} }`), { stages });
    expect(scoped("workspaces: [a]")).toEqual(["violated 1"]);
    expect(scoped("modules: [root]")).toEqual(["passed 0"]);
    expect(scoped("resource_types: [cloud_queue], workspaces: [b]")).toEqual(["violated 1"]);
  });

  test.each<[string, StageFacts]>([
    ["not_stated", stage()],
    ["not_estimated", used(usage(null), { cost: { state: "absent" } })],
    ["timed_out", used(usage(null), { cost: { state: "unknown", reason: "timed_out" } })],
    ["unproven", used(usage(null), { proven: false })],
    [
      "partly_estimated",
      used(usage(null), { cost: known(cost("1 > 1", { usage: usage(null), completeness: "partial" })) }),
    ],
  ])("is undecided where it is %s", (because, facts) => {
    expect(describeFindings(rule("usage: 999"), { stages: [facts] })).toEqual([`undecided ${because}`]);
  });

  test("can be asked for in a condition", () => {
    const stages = [used(usage("added", { unnamedUnchanged: 4 }))];
    const holds = (when: string, given = stages) =>
      describeFindings(policy(`rules: [{ id: r, when: '${when}' }]`), { stages: given })[0];
    expect(holds("usage.count == 5 && usage.introduced == 1 && usage.deleted == 0")).toMatch(/^violated/);
    expect(holds('usage.resources.exists(r, r.type == "cloud_queue" && r.action == "added")')).toBe(
      "violated 1",
    );
    expect(holds("stages.exists(s, s.usage > 4)")).toBe("violated 1");
    expect(holds("usage.count > 0", [stage()])).toBe("undecided not_stated");
  });

  test("cannot be found by name in a condition where some resources have none: one of those may be meant", () => {
    const stages = [used(usage("unchanged", { unnamed: 2 }))];
    const outcome = (when: string) =>
      describeFindings(policy(`rules: [{ id: r, when: '${when}' }]`), { stages })[0];
    expect(outcome('usage.resources.exists(r, r.type == "cloud_function")')).toBe("undecided not_stated");
    expect(outcome("usage.introduced > 1")).toMatch(/^violated/);
  });
});

test.each([
  ["limit: { usage: 0 }, existing: include", ""],
  [
    "limit: { total: 5 USD }, existing: include",
    "3:49 is not for total, but for unpriced, usage and drift; remove it",
  ],
  ['when: "true", existing: include', "3:38 is not for when, but for unpriced, usage and drift; remove it"],
  ["limit: { drift: 0 }, existing: includ", '3:45 found "includ", expected include (did you mean include?)'],
])("`existing` is for limits that distinguish what is new: %s", (members, said) => {
  const told = problems(`version: 1\nrules:\n  - { id: a, ${members} }\n`);
  expect(told.replace("repo.yml:", "").replace(" rules[0].existing:", "")).toBe(said);
});
