import { describe, expect, test } from "vitest";
import { evaluatePolicy } from "../../src/policy/evaluate-policy.ts";
import { buildReport } from "../../src/report/build.ts";
import { NO_FACTS, type PullFacts } from "../../src/report/model/context.ts";
import { priced } from "../report/facts.ts";
import { CONTEXT, policy, rule } from "./policies.ts";

const STATED = [{ org: "o", project: "p", workspace: "prod", executionId: "e", by: "ci" }];
const BUDGET_USE = {
  workspaces: [{ org: "o", project: "p", workspace: "prod", currency: "USD", amount: "900" }],
  pulls: [],
  unknown: [],
} as never; // texts in place of decimals
const context = { ...CONTEXT, budgetUse: BUDGET_USE };
const budget = (amount: string) => policy(`budgets: [{ id: r, amount: ${amount} USD }]`);
const outcome = (own: ReturnType<typeof rule>, facts: Partial<PullFacts> = { nothingToPlan: STATED }) =>
  evaluatePolicy(buildReport({ ...NO_FACTS, ...facts }, { stages: [] }), own, { context }).findings.map(
    (finding) => finding.outcome,
  );

describe("where it is stated that nothing is to be planned", () => {
  test.each([
    ["increase: 5 USD", []],
    ["decrease: 5 USD", []],
    ["percent: 5", []],
    ["total: 5 USD", []],
    ["increase: 5 USD", ["per: module"]],
    ["increase: 5 USD", ["per: { tag: team }"]],
    ["total: 5 USD", ["per: stage", "enforce: { prod: block }"]],
    ["deletions: 0", []],
    ["changes: 0", ["per: stage"]],
    ["drift: 0", ["existing: include"]],
    ["unpriced: 0", []],
    ["usage: 0", []],
    ["invocations: 0", []],
  ] as const)("a limit on plans passes without a value: %s, %j", (limit, members) => {
    expect(outcome(rule(limit, ...members))).toEqual(["passed"]);
  });

  test.each([
    ["a budget counts what the workspace costs", budget("899"), "violated"],
    ["a budget with room for it passes", budget("900"), "passed"],
    [
      "a condition on the pull request is evaluated",
      policy("rules: [{ id: r, when: '\"infra/main.tf\" in pull.paths' }]"),
      "violated",
    ],
    ["what is not known around it stays undecided", rule("anomalies: 0"), "undecided"],
  ])("%s", (_, own, expected) => {
    // A total that was over its budget before and is not raised only warns.
    expect(outcome(own)).toEqual([expected]);
  });

  test("an execution that may not be shown leaves limits undecided", () => {
    const refused = [{ org: "x", project: "y", executionId: "z", reason: "not_granted" as const }];
    expect(outcome(rule("increase: 5 USD"), { nothingToPlan: STATED, refused })).toEqual(["undecided"]);
  });

  test("other workspaces are measured as ever", () => {
    const stages = [priced("other", "0 > 6")];
    expect(outcome(rule("increase: 5 USD"), { nothingToPlan: STATED, stages })).toEqual(["violated"]);
  });

  test("without a statement nothing passes", () => {
    expect(outcome(rule("increase: 5 USD"), {})).toEqual(["undecided"]);
  });
});
