import { describe, expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { evaluateCase } from "../../src/policy/cases/evaluate-case.ts";
import type { EvaluationContext } from "../../src/policy/model/context.ts";
import type { StageFacts } from "../../src/report/model/facts.ts";
import { cost, group, known, listed, moduleCost, resource, row, stage } from "../report/facts.ts";
import { describeFindings, HIDDEN, verdict } from "./evaluate-facts.ts";
import { policy } from "./policies.ts";

const GROWN = stage({
  workspace: "prod-network",
  cost: known(
    cost("100 > 160", {
      groups: [group("aws_instance", "100 > 160", [resource("aws_instance.a", "100 > 160")])],
    }),
  ),
  modules: known([moduleCost("web.db", "100 > 160")]),
  rows: listed(row("google_sql.b", "changed")),
});
const NAMED = 'stages: [{ match: { workspace: "prod-*" }, name: production }]';

/** Why a rule of that scope is not applicable, or what it comes to. */
function mismatch(
  scope: string,
  { stages = [GROWN], pull = {} }: { stages?: readonly StageFacts[]; pull?: Partial<EvaluationContext> } = {},
) {
  const about = policy(`${NAMED}\nrules: [{ id: r, limit: { increase: 0 USD }, scope: { ${scope} } }]`);
  const [finding] = verdict(about, { stages, pull }).findings;
  return finding?.outcome === "not_applicable" ? finding.mismatch : finding?.outcome;
}

describe("a rule whose scope nothing here matches is not applicable, and says which pattern and what is here", () => {
  test.each([
    ["stages", "prodution", ["production"], "production"],
    ["workspaces", "staging", ["prod-network"], null],
    ["modules", "web/bd", ["root", "web/db"], "web/db"],
    ["resource_types", "aws_db_*", ["aws_instance", "google_sql"], null],
    ["providers", "aw", ["aws", "google"], "aws"],
    ["stages: [production], workspaces", "prod-netwrok", ["prod-network"], "prod-network"],
  ])("%s: [%s]", (...[members, pattern, here, meant]) => {
    const member = members.split(" ").at(-1);
    expect(mismatch(`${members}: ["${pattern}"]`)).toMatchObject({
      member,
      patterns: [pattern],
      here,
      meant,
      more: 0,
    });
  });

  test("an unchanged usage-based resource is here", () => {
    const usage = { unnamed: 0, unnamedUnchanged: 0 };
    const resources = [{ address: "aws_queue.a", type: "aws_queue", change: "unchanged" } as const];
    const stages = [stage({ cost: known(cost("1 > 1", { usage: { ...usage, resources } })) })];
    expect(mismatch("resource_types: [aws_queue]", { stages })).toBe("passed");
    expect(mismatch("resource_types: [aws_queu]", { stages })).toMatchObject({ meant: "aws_queue" });
  });

  test.each<[string, string, Partial<EvaluationContext>, readonly string[]]>([
    ["branches", "release", { baseRef: "main" }, ["main"]],
    ["authors", "bob", { author: "alice" }, ["alice"]],
    ["labels", "cost", { labels: [] }, []],
    ["paths", "docs/**", { paths: ["a.tf"] }, ["a.tf"]],
  ])("%s: [%s]", (...[member, pattern, pull, here]) => {
    const expected = { member, patterns: [pattern], here, meant: null };
    expect(mismatch(`${member}: ["${pattern}"]`, { pull })).toMatchObject(expected);
  });

  test("it neither blocks nor warns nor is met", () => {
    const rules = policy("rules: [{ id: r, limit: { increase: 0 USD }, scope: { stages: [prodution] } }]");
    expect(verdict(rules, { stages: [GROWN] })).toMatchObject({
      kind: "pass",
      findings: [{ rule: "r", outcome: "not_applicable", measured: null, items: [], waiver: null }],
    });
  });
});

describe("a scope is not called a mismatch", () => {
  test("where a pattern matches", () => {
    expect(mismatch("stages: [production, staging]")).toBe("violated");
  });

  test("where its facts are not known: then it is undecided", () => {
    const unknown = { state: "unknown", reason: "timed_out" } as const;
    expect(mismatch("modules: [web]", { stages: [{ ...GROWN, modules: unknown }] })).toBe("undecided");
    expect(
      mismatch("workspaces: [web]", {
        stages: [stage({ workspace: "execution-1", isUnread: true, cost: unknown })],
      }),
    ).toBe("undecided");
  });

  test("where an execution may not be shown here: it may be the one", () => {
    const about = policy("rules: [{ id: r, limit: { increase: 0 USD }, scope: { workspaces: [staging] } }]");
    expect(describeFindings(about, { stages: [GROWN], refused: [HIDDEN] })).toEqual([
      "undecided not_granted",
    ]);
  });

  test("where a condition is true although there is nothing that it is about", () => {
    const about = policy("rules: [{ id: r, when: changes.deleted == 0, scope: { modules: [elsewhere] } }]");
    expect(describeFindings(about, { stages: [GROWN] })).toEqual(["violated"]);
  });
});

test("a case that expects a rule to be met fails with the message that its scope matches nothing", () => {
  const rules = policy("rules: [{ id: r, limit: { increase: 0 USD }, scope: { stages: [prodution] } }]");
  const evaluated = (outcome: "passed" | "silent") =>
    evaluateCase(
      {
        case: "a typo",
        stages: [{ workspace: "production", after: decimal("9") }],
        expect: { findings: { r: outcome } },
      },
      rules,
    ).differences;
  expect(evaluated("silent")).toEqual([]);
  expect(evaluated("passed")).toEqual([
    {
      what: "r",
      expected: "passed",
      found: "silent: no stage matches prodution; here: production (did you mean production?)",
    },
  ]);
});
