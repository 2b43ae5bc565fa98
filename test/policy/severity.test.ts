import { describe, expect, test } from "vitest";
import type { StageFacts } from "../../src/report/model/facts.ts";
import { counts, known, priced } from "../report/facts.ts";
import { describeFindings, HIDDEN, verdict } from "./evaluate-facts.ts";
import { policy } from "./policies.ts";

const BY_STAGE = 'enforce: { "prod-*": block, "*": warn }';
const rule = (limit: string, ...members: readonly string[]) =>
  policy(`rules: [{ id: r, limit: { ${limit} }, ${[BY_STAGE, ...members].join(", ")} }]`);

describe("what a violation does by stage", () => {
  const both = (prod: string, dev: string) => [priced("prod-a", prod), priced("dev", dev)];
  test.each<[string, StageFacts[], string, string[]]>([
    ["blocks in production", [priced("prod-a", "0 > 600")], "block", ["violated 600 USD"]],
    ["warns elsewhere", [priced("dev", "0 > 600")], "warn", ["violated 600 USD (warn)"]],
    ["each for itself", both("0 > 600", "0 > 700"), "block", ["violated 600 USD", "violated 700 USD (warn)"]],
    [
      "no saving elsewhere helps",
      both("0 > 600", "700 > 0"),
      "block",
      ["violated 600 USD", "passed -700 USD"],
    ],
    ["only all together: a warning", both("0 > 400", "0 > 400"), "warn", ["violated 800 USD (warn)"]],
    ["nothing", both("0 > 100", "0 > 400"), "pass", ["passed 500 USD"]],
    [
      "what is not known in production",
      [priced("prod-a", "0 > 1", { status: "failed" }), priced("dev", "0 > 1")],
      "undecided",
      ["undecided execution_failed", "passed 1 USD"],
    ],
    [
      "what is not known elsewhere",
      [priced("prod-a", "0 > 1"), priced("dev", "0 > 1", { status: "failed" })],
      "warn",
      ["undecided execution_failed (warn)", "passed 1 USD"],
    ],
    [
      "an execution whose stages could not be read may be production",
      [priced("execution-1", "0 > 1", { isUnread: true, cost: { state: "unknown", reason: "timed_out" } })],
      "undecided",
      ["undecided timed_out"],
    ],
  ])("%s", (...[, stages, kind, expected]) => {
    expect(describeFindings(rule("increase: 500 USD"), { stages })).toEqual(expected);
    expect(verdict(rule("increase: 500 USD"), { stages }).kind).toBe(kind);
  });

  test("an execution that may not be shown may be production", () => {
    const given = { stages: [priced("dev", "0 > 1")], refused: [HIDDEN] };
    for (const per of ["pull-request", "stage"])
      expect(verdict(rule("increase: 500 USD", `per: ${per}`), given).kind).toBe("undecided");
  });

  test("of each stage by itself, and of counts and conditions", () => {
    const stages = [
      priced("prod-a", "0 > 600", { counts: known(counts({ deleted: 1 })) }),
      priced("dev", "0 > 600", { counts: known(counts({ deleted: 1 })) }),
    ];
    expect(describeFindings(rule("increase: 500 USD", "per: stage"), { stages })).toEqual([
      "violated prod-a: 600 USD",
      "violated dev: 600 USD (warn)",
    ]);
    expect(describeFindings(rule("deletions: 0"), { stages })).toEqual(["violated 1", "violated 1 (warn)"]);
    expect(describeFindings(rule("deletions: 1"), { stages })).toEqual(["violated 2 (warn)"]);
    const condition = policy(`rules: [{ id: r, when: cost.change > 500, ${BY_STAGE} }]`);
    expect(describeFindings(condition, { stages })).toEqual(["violated", "violated (warn)"]);
  });

  test("the first pattern counts, and what none matches blocks", () => {
    const stages = [priced("prod-a", "0 > 600")];
    const kind = (enforce: string) =>
      verdict(policy(`rules: [{ id: r, limit: { increase: 5 USD }, enforce: ${enforce} }]`), { stages }).kind;
    expect(kind('{ "*": warn, "prod-*": block }')).toBe("warn");
    expect(kind('{ "prod-*": block, "*": warn }')).toBe("block");
    expect(kind("{ dev: warn }")).toBe("block");
    expect(kind("{}")).toBe("block");
  });
});

describe("the organisation's mandatory rules go by the organisation's names for stages", () => {
  const organisation = (scope: string) =>
    `rules: [{ id: r, limit: { increase: 5 USD }, mandatory: true, ${scope} }]`;
  const hides = 'stages: [{ match: { workspace: "*" }, name: dev }]';
  const stages = [priced("prod-a", "0 > 600")];

  test.each(['scope: { stages: ["prod-*"] }', 'enforce: { "prod-*": block, "*": warn }'])("%s", (scope) => {
    expect(verdict(policy(hides, organisation(scope)), { stages }).kind).toBe("block");
    const loose = organisation(scope).replace("mandatory: true, ", "");
    expect(verdict(policy(hides, loose), { stages }).kind).not.toBe("block");
    const named = `${organisation("scope: { stages: [Live] }")}\nstages: [{ match: { workspace: "prod-*" }, name: Live }]`;
    expect(verdict(policy(hides, named), { stages }).kind).toBe("block");
  });

  test("in conditions and budgets too", () => {
    const condition =
      "rules: [{ id: r, when: 'stages.exists(s, s.name.startsWith(\"prod\"))', mandatory: true }]";
    expect(verdict(policy(hides, condition), { stages }).kind).toBe("block");
    const budget = 'budgets: [{ id: b, amount: 5 USD, mandatory: true, scope: { stages: ["prod-*"] } }]';
    const pull = { budgetUse: { workspaces: [], pulls: [], unknown: [] } };
    expect(verdict(policy(hides, budget), { stages, pull }).kind).toBe("block");
  });
});

describe("on_unknown beside enforce by stage", () => {
  const leave = "allow_warn_on_unknown: [r]";
  const failed = (workspace: string) => priced(workspace, "0 > 1", { status: "failed" });
  const staged = (members: string, organisation: string | null) =>
    policy(`rules: [{ id: r, limit: { increase: 500 USD }, ${BY_STAGE}, ${members} }]`, organisation);

  test("warn lets unknown facts of blocking stages through with a warning, where the organisation allows it", () => {
    const lenient = staged("on_unknown: warn", leave);
    expect(verdict(lenient, { stages: [failed("prod-a")] }).kind).toBe("warn");
    expect(verdict(lenient, { stages: [failed("dev")] }).kind).toBe("warn");
    expect(verdict(lenient, { stages: [priced("prod-a", "0 > 600")] }).kind).toBe("block");
  });

  test("warn is refused without that", () => {
    expect(() => staged("on_unknown: warn", null)).toThrow("must not let unknown facts through");
  });

  test("block is refused, as it adds nothing where the rule blocks and contradicts it where the rule warns", () => {
    expect(() => staged("on_unknown: block", null)).toThrow(
      "remove it: where it blocks, what is not known blocks already",
    );
  });
});
