import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { findApprovedChange } from "../../src/policy/apply-gate.ts";
import { isStageNamed, listEvaluatedPlans } from "../../src/policy/evaluated-plans.ts";
import type { WorkspacePlan } from "../../src/policy/model/apply.ts";
import type { Approval } from "../../src/policy/model/approval.ts";
import type { Finding } from "../../src/policy/model/finding.ts";
import type { StageReport } from "../../src/report/model/report.ts";
import {
  approval,
  evaluatedSituation,
  evaluation,
  finding,
  money,
  report,
  resource,
  row,
  stage,
  unknownStage,
} from "../render/evaluation-builder.ts";

const NAME = "prod-network";
const known = stage(NAME, ["100", "150"]);
const rows = [
  row("added", "aws_instance.a"),
  row("changed", "aws_iam_role.b"),
  { ...row("imported", "aws_db_instance.c"), cost: decimal("7") },
  row("drifted", "aws_instance.d"),
  row("moved", "aws_instance.e"),
];
const resources = [resource("aws_instance.a", "50", { before: decimal("0"), after: decimal("50") })];

const listPlans = (stages: readonly StageReport[], figures = true) =>
  listEvaluatedPlans(evaluation({ pull: { figures }, report: report(stages, { rows, resources }) }));

const readPlan = (stages: readonly StageReport[], figures = true): WorkspacePlan | undefined =>
  listPlans(stages, figures)[0]?.plan;

describe("the plan of an evaluated workspace", () => {
  it("has every change with what is known of its cost, without drift and mere moves", () => {
    const unpriced = { before: null, after: null };
    expect(readPlan([known])).toEqual({
      workspace: NAME,
      isComplete: true,
      cost: {
        state: "known",
        currency: "USD",
        before: "100",
        after: "150",
        change: "50",
      },
      changes: [
        { address: "aws_instance.a", action: "added", before: "0", after: "50" },
        { address: "aws_iam_role.b", action: "changed", ...unpriced },
        { address: "aws_db_instance.c", action: "imported", before: "7", after: "7" },
      ],
    });
  });

  it("has the actions that it invokes, and is incomplete where not all of them are listed", () => {
    const invoked = { address: "action.a.b", type: "a", module: "", resource: null, event: null };
    const invokes = (more: number) =>
      readPlan([
        {
          ...known,
          planNotes: {
            incomplete: null,
            invocations: { listed: [invoked, invoked], more },
            failedChecks: { listed: [], more: 0 },
          },
        },
      ]);
    const change = { address: "action.a.b", action: "invoked", before: null, after: null };
    expect(invokes(0)?.changes.slice(3)).toEqual([change]);
    expect([invokes(0)?.isComplete, invokes(1)?.isComplete]).toEqual([true, false]);
  });

  it("has no amount where figures are hidden", () => {
    const plan = readPlan([known], false);
    expect(plan?.cost).toEqual({ state: "hidden" });
    expect(plan?.changes.flatMap(({ before, after }) => [before, after])).toEqual(Array(6).fill(null));
  });

  it.each<[string, Partial<StageReport>]>([
    ["has omitted rows", { omittedRows: 1 }],
    ["has unread rows", { unreadRows: 1 }],
    ["has no rows that can be relied on", { rowsBecause: "execution_failed" }],
    [
      "leaves changes to a later plan",
      {
        planNotes: {
          incomplete: { deferred: [], more: 0 },
          invocations: { listed: [], more: 0 },
          failedChecks: { listed: [], more: 0 },
        },
      },
    ],
  ])("is incomplete where it %s", (_, rest) => {
    expect(readPlan([{ ...known, ...rest }])?.isComplete).toBe(false);
  });

  it.each<[string, StageReport, WorkspacePlan["cost"]["state"]]>([
    ["unknown where a part of it could not be estimated", { ...known, state: "partial" }, "unknown"],
    ["not estimated where there is no estimate", unknownStage(NAME), "not_estimated"],
  ])("has a cost that is %s", (_, one, state) => {
    expect(readPlan([one])?.cost.state).toBe(state);
  });

  it("is named with its project where two projects have such a workspace, and can be named so always", () => {
    const other = { ...known, project: "shop" };
    expect(listPlans([known, other]).map(({ plan }) => plan.workspace)).toEqual([
      `payments/${NAME}`,
      `shop/${NAME}`,
    ]);
    const [{ stage: key } = { stage: "" }] = listPlans([known]);
    for (const name of [NAME, `payments/${NAME}`, `default/payments/${NAME}`])
      expect(isStageNamed(key, name)).toBe(true);
    for (const name of ["network", `shop/${NAME}`, "", `/${NAME}`])
      expect(isStageNamed(key, name)).toBe(false);
    for (const name of ["eu/prod", "pay/eu/prod", "acme/pay/eu/prod"])
      expect(isStageNamed("acme/pay/eu/prod", name)).toBe(true);
    expect(isStageNamed("acme/pay/eu/prod", "prod")).toBe(false);
  });

  it("does not exist for an execution whose workspaces are unknown", () => {
    expect(listPlans([{ ...known, isUnread: true }])).toEqual([]);
  });
});

describe("the approved change of an evaluated workspace", () => {
  const increase = (rest: Partial<Finding> = {}) =>
    finding("monthly-increase", {
      approved: true,
      measured: { kind: "money", ...money("50") },
      ...rest,
    });
  const find = (
    approvals: readonly Approval[],
    found: Finding = increase(),
    stages: readonly StageReport[] = [known],
    others: readonly Finding[] = [],
  ) => {
    const evaluated = evaluation({
      report: report(stages),
      situation: evaluatedSituation("block", [found, ...others]),
      approvals: { ...evaluation().approvals, live: approvals },
    });
    const [first] = listEvaluatedPlans(evaluated);
    return first && findApprovedChange(evaluated, first.plan);
  };

  it("is the least amount of the approvals that cover its increase", () => {
    expect(find([approval({ upTo: money("70") }), approval({ upTo: money("60") })])).toEqual(money("60"));
  });

  it.each<[string, Partial<Finding>, string]>([
    ["the limit of another increase", { limit: { kind: "increase", amount: money("65") } }, "65"],
    [
      "the evaluated change, where another rule limits a percentage",
      { limit: { kind: "percent", percent: decimal("9") } },
      "50",
    ],
    [
      "the evaluated change, where another approved rule limits the total",
      { limit: { kind: "total", amount: money("1") }, outcome: "violated", approved: true },
      "50",
    ],
    [
      "the evaluated change, where a condition reads the cost",
      { limit: { kind: "when", expression: "", needs: ["cost"] } },
      "50",
    ],
    [
      "its own amount, where a condition reads no cost",
      { limit: { kind: "when", expression: "", needs: ["author"] } },
      "70",
    ],
    ["its own amount, where another rule counts deletions", { limit: { kind: "deletions", count: 1 } }, "70"],
    ["its own amount, where another rule only warns", { enforce: "warn" }, "70"],
    ["its own amount, where another rule does not apply", { outcome: "not_applicable" }, "70"],
  ])("is at most %s", (_, other, amount) => {
    const others = [
      finding("other", { outcome: "passed", limit: { kind: "increase", amount: money("65") }, ...other }),
    ];
    expect(find([approval({ upTo: money("70") })], increase(), [known], others)).toEqual(money(amount));
  });

  it.each<[string, Approval, Finding?, (readonly StageReport[])?]>([
    ["the rule limits the total", approval(), increase({ limit: { kind: "total", amount: money("1") } })],
    ["the rule measured a part", approval(), increase({ measured: { kind: "money", ...money("49") } })],
    ["the rule is not approved", approval(), increase({ approved: false })],
    ["it covers another rule", approval({ covered: [] })],
    ["it has no amount", approval({ upTo: null })],
    ["it is in another currency", approval({ upTo: money("70", "EUR") })],
    ["there is another workspace", approval(), increase(), [known, stage("dev", ["0", "0"])]],
  ])("is no matter of an approval where %s", (_, one, ...rest) => {
    expect(find([one], ...rest)).toBeNull();
  });
});
