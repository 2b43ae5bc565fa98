import { describe, expect, test } from "vitest";
import { decideCheck } from "../../src/policy/decide-check.ts";
import { evaluatePolicy } from "../../src/policy/evaluate-policy.ts";
import { NO_APPROVALS } from "../../src/policy/model/approval.ts";
import { decideEffect, type Finding, type Verdict } from "../../src/policy/model/finding.ts";
import type { CheckDecision, Conclusion, Situation, StackedBelow } from "../../src/policy/model/situation.ts";
import { buildReport } from "../../src/report/build.ts";
import { finding, HEAD, passed } from "../render/evaluation-builder.ts";
import { cost, counts, facts, known, stage } from "../report/facts.ts";
import { CONTEXT, policy } from "./policies.ts";

const below = (state: StackedBelow["state"]): StackedBelow => ({ number: 41, headSha: HEAD, state });
const ANYONE = {
  groups: [{ teams: [], users: [], permission: "write", count: 1 }],
  reviews: false,
} as const;

describe("a finding", () => {
  test.each([
    ["passed", "block", "block", "pass"],
    ["passed", "warn", "warn", "pass"],
    ["violated", "block", "block", "block"],
    ["violated", "block", "warn", "block"],
    ["violated", "warn", "warn", "warn"],
    ["undecided", "block", "block", "undecided"],
    ["undecided", "block", "warn", "warn"],
    ["undecided", "warn", "warn", "warn"],
    ["undecided", "warn", "block", "warn"],
  ] as const)("%s that enforces %s, on unknown %s: %s", (...[outcome, enforce, onUnknown, effect]) => {
    expect(decideEffect(finding("r", { outcome, enforce, onUnknown }))).toBe(effect);
  });
});

describe("a verdict", () => {
  const PASSES = "{ id: passes, limit: { drift: 9 } }";
  const WARNS = "{ id: warns, limit: { deletions: 0 }, enforce: warn }";
  const UNDECIDED = "{ id: undecided, limit: { increase: 1 EUR } }";
  const DOUBTS = "{ id: doubts, limit: { increase: 1 EUR }, enforce: warn }";
  const BLOCKS = "{ id: blocks, limit: { deletions: 0 } }";
  const report = buildReport(
    facts(stage({ cost: known(cost("1 > 1")), counts: known(counts({ deleted: 1 })) })),
    {
      stages: [],
    },
  );

  test.each([
    [[], "pass", []],
    [[PASSES], "pass", ["passes"]],
    [[PASSES, WARNS], "warn", ["warns", "passes"]],
    [[PASSES, DOUBTS], "warn", ["doubts", "passes"]],
    [[WARNS, UNDECIDED, PASSES], "undecided", ["undecided", "warns", "passes"]],
    [[UNDECIDED, DOUBTS, WARNS, BLOCKS], "block", ["blocks", "undecided", "doubts", "warns"]],
  ])("of %j is %s, worst first", (rules, kind, order) => {
    const verdict = evaluatePolicy(report, policy(`rules: [${rules.join(", ")}]`), { context: CONTEXT });
    expect(verdict.kind).toBe(kind);
    expect(verdict.findings.map(({ rule }) => rule)).toEqual(order);
  });
});

describe("the check", () => {
  const evaluated = (kind: Verdict["kind"], ...findings: Finding[]): Situation => ({
    kind: "evaluated",
    verdict: { kind, findings },
  });
  const violated = finding("r", { outcome: "violated", approve: ANYONE });
  const completed = (conclusion: Conclusion): CheckDecision => ({
    status: "completed",
    conclusion,
  });

  test.each<[string, Situation, CheckDecision]>([
    ["passes", evaluated("pass"), completed("success")],
    ["passes with findings", evaluated("pass", passed("r")), completed("success")],
    [
      "only warns",
      evaluated("warn", finding("r", { outcome: "violated", enforce: "warn" })),
      completed("neutral"),
    ],
    ["blocks", evaluated("block", finding("r", { outcome: "violated" })), completed("failure")],
    ["blocks without a finding", evaluated("block"), completed("failure")],
    ["is undecided", evaluated("undecided", finding("r", { outcome: "undecided" })), completed("failure")],
    ["waits", { kind: "waiting", missing: [], deadlineMs: 1 }, { status: "in_progress" }],
    ["waited in vain", { kind: "deadline_passed", missing: [] }, completed("failure")],
    ["has an invalid policy", { kind: "policy_invalid", problems: [] }, completed("failure")],
    [
      "has an unreadable policy",
      { kind: "policy_unreadable", which: "repository", reason: "symlink" },
      completed("failure"),
    ],
    [
      "has an unreadable organisation's policy",
      { kind: "policy_unreadable", which: "organisation", reason: "not_covered" },
      completed("failure"),
    ],
    ["has a cost that cannot be read", { kind: "cost_unreadable", workspaces: [] }, completed("failure")],
    [
      "has an execution that cannot be read",
      { kind: "execution_unreadable", executions: [{ executionId: "e", reason: "not_listed" }] },
      completed("failure"),
    ],
    [
      "is above one that does not pass in its stack",
      { kind: "stack_held", below: [below("waiting"), below("not_passed")] },
      completed("failure"),
    ],
    [
      "is above one that is not decided in its stack",
      { kind: "stack_held", below: [below("waiting")] },
      { status: "in_progress" },
    ],
    ["met an error of ours", { kind: "failed", cause: "own_error" }, completed("failure")],
    ["expects nothing and has nothing", { kind: "nothing_expected" }, completed("success")],
    ["has no policy", { kind: "no_policy", alwaysCheck: false }, { status: "none" }],
    [
      "has no policy, but the operator wants a check",
      { kind: "no_policy", alwaysCheck: true },
      completed("success"),
    ],
  ])("of a pull request that %s", (_, situation, decision) => {
    expect(decideCheck(situation, NO_APPROVALS)).toEqual(decision);
  });

  test.each<[string, boolean, Verdict["kind"], Conclusion]>([
    ["some of what blocks", false, "block", "failure"],
    ["all that blocks", true, "block", "action_required"],
    ["anything, beside what is not known", true, "undecided", "failure"],
  ])("where somebody could approve %s", (_, ...[opensGate, kind, conclusion]) => {
    const offer = { commands: [], rules: [], opensGate, why: null };
    expect(decideCheck(evaluated(kind, violated), { offer })).toEqual(completed(conclusion));
  });
});
