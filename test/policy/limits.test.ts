import { describe, expect, test } from "vitest";
import { evaluatePolicy } from "../../src/policy/evaluate-policy.ts";
import type { Policy } from "../../src/policy/model/policy.ts";
import { buildFindings } from "../../src/policy/rules/findings.ts";
import { buildReport } from "../../src/report/build.ts";
import { NO_FACTS } from "../../src/report/model/context.ts";
import type { StageCost, StageFacts } from "../../src/report/model/facts.ts";
import { cost, counts, group, known, moduleCost, stage } from "../report/facts.ts";
import { describeFindings, HIDDEN, tell } from "./evaluate-facts.ts";
import { CONTEXT, policy, rule } from "./policies.ts";

const told = (policy: Policy, ...stages: readonly StageFacts[]) => describeFindings(policy, { stages });

const own = (issues: number | null, policies: number, more: Partial<StageCost> = {}) => ({
  cost: known(cost("1 > 2", { findings: { issues, policies, listed: [], more: 0 }, ...more })),
});
test.each([
  ["finops-issues: 0", own(0, 5), "passed 0"],
  ["finops-issues: 0", own(1, 0), "violated 1"],
  ["finops-issues: 0", own(null, 0), "undecided not_stated"],
  ["finops-issues: 0", { cost: known(cost("1 > 2")) }, "undecided not_stated"],
  ["estimator-policies: 1", own(null, 1), "passed 1"],
  ["estimator-policies: 1", own(0, 2), "violated 2"],
  ["estimator-policies: 1", { cost: known(cost("1 > 2")) }, "undecided not_stated"],
  ["estimator-policies: 1", own(0, 0, { completeness: "partial" }), "undecided partly_estimated"],
])("the estimator's own policies: %s of %j: %s", (limit, facts, expected) => {
  expect(told(rule(limit), stage(facts))).toEqual([expected]);
});

describe("money", () => {
  test.each([
    ["increase: 50 USD", "100 > 150", "passed 50 USD"],
    ["increase: 50 USD", "100 > 150.01", "violated 50.01 USD"],
    ["increase: 50 USD", "100 > 150.0000000001", "violated 50.0000000001 USD"],
    ["increase: 50 USD", "100 > 20", "passed -80 USD"],
    ["increase: 0 USD", "100 > 100", "passed 0 USD"],
    ["increase: 0 USD", "0 > 0.001", "violated 0.001 USD"],
    ["increase: 100000000000000 USD", "0 > 100000000000000.001", "violated 100000000000000.001 USD"],
    ["increase: 50 EUR", "100 > 100", "undecided USD for EUR"],
    ["decrease: 50 USD", "100 > 50", "passed 50 USD"],
    ["decrease: 50 USD", "100 > 49.99", "violated 50.01 USD"],
    ["decrease: 50 USD", "100 > 900", "passed -800 USD"],
    ["decrease: 50 EUR", "100 > 100", "undecided USD for EUR"],
    ["total: 150 USD", "100 > 150", "passed 150 USD"],
    ["total: 150 USD", "100 > 151", "violated 151 USD"],
    ["total: 150 USD", "200 > 151", "violated 151 USD (warn)"],
    ["total: 150 EUR", "100 > 100", "undecided USD for EUR"],
    ["percent: 50", "100 > 150", "passed 50"],
    ["percent: 50", "100 > 151", "violated 51"],
    ["percent: 50%", "100 > 20", "passed -80"],
    ["percent: 12.5%", "80 > 90", "passed 12.5"],
    ["percent: 33.33", "3 > 4", "violated 33.33333"],
    ["percent: 33.34", "3 > 4", "passed 33.33"],
    ["percent: 0", "0 > 0", "passed 0"],
    ["percent: 1000000", "0 > 0.01", "violated increase_from_zero"],
    ["percent: 10", "-10 > -5", "violated 50"],
    ["percent: 50", "-10 > -5", "passed 50"],
    ["percent: 0", "10000000000 > 10000000000.0000001", "violated 0.000000000000001"],
  ])("%s on %s: %s", (limit, change, expected) => {
    expect(told(rule(limit), stage({ cost: known(cost(change)) }))).toEqual([expected]);
  });

  const UNCOMPARED = { cost: known(cost("? > 150", { comparison: "nothing" })) };
  test.each([
    ["increase: 50 USD", [UNCOMPARED], "undecided not_compared"],
    ["decrease: 50 USD", [UNCOMPARED], "undecided not_compared"],
    ["percent: 50", [UNCOMPARED], "undecided not_compared"],
    ["total: 150 USD", [UNCOMPARED], "passed 150 USD"],
    ["total: 149 USD", [UNCOMPARED], "violated 150 USD"],
    [
      "total: 500 USD",
      [UNCOMPARED, { cost: known(cost("? > 1", { comparison: "nothing", completeness: "partial" })) }],
      "undecided partial not_compared",
    ],
    [
      "total: 500 USD",
      [UNCOMPARED, { cost: known(cost("1 > 1 by 9")) }],
      "undecided inconsistent not_compared",
    ],
  ])("%s of an estimate that is compared with nothing", (limit, stages, expected) => {
    expect(told(rule(limit), ...stages.map((one) => stage(one)))).toEqual([expected]);
  });

  const CHANGED = known(cost("100 > 900"));
  test.each<[string, Partial<StageFacts>]>([
    ["not_estimated", { cost: { state: "absent" } }],
    ["malformed", { cost: { state: "unknown", reason: "malformed" } }],
    ["unavailable", { cost: { state: "stale", value: cost("1 > 1"), ageMs: 5 } }],
    ["partial", { cost: known(cost("1 > 1", { completeness: "partial" })) }],
    ["partial not_stated", { cost: known(cost("1 > 1 by ?")) }],
    ["inconsistent", { cost: known(cost("1 > 1 by 9")) }],
    ["execution_failed", { cost: CHANGED, status: "failed" }],
    ["execution_pending", { cost: CHANGED, status: "pending" }],
    ["not_stated", { cost: CHANGED, status: "unknown" }],
    ["unproven", { cost: CHANGED, proven: false }],
  ])("every limit on money is undecided by what is %s", (because, but) => {
    for (const limit of ["increase: 5000 USD", "decrease: 5000 USD", "total: 5000 USD", "percent: 5000"]) {
      expect(told(rule(limit), stage(but))).toEqual([`undecided ${because}`]);
      expect(told(rule(limit), stage(), stage({ ...but, workspace: "other" }))).toEqual([
        `undecided ${because}`,
      ]);
      expect(told(rule(limit, "per: stage"), stage(but))).toEqual([`undecided production: ${because}`]);
    }
  });

  test("is undecided where nothing at all was read", () => {
    for (const per of ["pull-request", "stage", "module", "resource-type"]) {
      expect(told(rule("increase: 1 USD", `per: ${per}`))).toEqual(["undecided not_read"]);
    }
  });

  test("is undecided where a rule is given nothing to read", () => {
    const [first] = rule("increase: 1 USD").rules;
    expect(first && buildFindings(first, []).map(tell)).toEqual(["undecided not_read"]);
  });

  test("in several currencies is undecided for an amount, and the worst of them for a percentage", () => {
    const stages = [cost("1 > 2"), cost("10 > 40", { currency: "EUR" })].map((each) =>
      stage({ cost: known(each) }),
    );
    expect(told(rule("increase: 5 USD"), ...stages)).toEqual(["undecided EUR for USD"]);
    expect(told(rule("percent: 150"), ...stages)).toEqual(["violated 300"]);
    expect(told(rule("percent: 300"), ...stages)).toEqual(["passed 300"]);
  });
});

describe("counts", () => {
  test.each([
    ["deletions: 2", { deleted: 2 }, "passed 2"],
    ["deletions: 2", { deleted: 3 }, "violated 3"],
    ["replacements: 0", { replaced: 0, deleted: 9 }, "passed 0"],
    ["replacements: 0", { replaced: 1 }, "violated 1"],
    ["replacements: 9", { replaced: null }, "undecided too_large"],
    [
      "changes: 5",
      { added: 1, changed: 1, deleted: 1, imported: 1, removed: 1, unchanged: 9, drifted: 9 },
      "passed 5",
    ],
    ["changes: 4", { added: 1, changed: 1, deleted: 1, imported: 1, removed: 1 }, "violated 5"],
    ["drift: 0", { drifted: 0, changed: 5 }, "passed 0"],
    ["drift: 0", { drifted: 1 }, "violated 1"],
  ])("%s on %j: %s", (limit, changes, expected) => {
    expect(told(rule(limit), stage({ counts: known(counts(changes)) }))).toEqual([expected]);
  });

  const invoked = (more: number): Partial<StageFacts> => {
    const action = { type: "aws_lambda_invoke", resource: null, event: null };
    const listed = [
      { ...action, address: "action.aws_lambda_invoke.a", module: "root" },
      { ...action, address: "module.web.action.aws_lambda_invoke.b", module: "web" },
    ];
    return {
      planNotes: { incomplete: null, invocations: { listed, more }, failedChecks: { listed: [], more: 0 } },
    };
  };
  const web = "scope: { modules: [web] }";
  const condition = (when: string) => policy(`rules: [{ id: r, when: '${when}' }]`);
  test.each<[Policy, Partial<StageFacts>, string]>([
    [rule("invocations: 2"), invoked(0), "passed 2"],
    [rule("invocations: 1"), invoked(0), "violated 2"],
    [rule("invocations: 1"), invoked(7), "violated 9"],
    [rule("invocations: 0", web), invoked(0), "violated 1"],
    [rule("invocations: 9", web), invoked(7), "undecided too_large"],
    [rule("invocations: 9"), {}, "undecided not_stated"],
    [rule("invocations: 9"), { ...invoked(0), status: "failed" }, "undecided execution_failed"],
    [condition('invocations.exists(i, i.module == "web" && i.provider == "aws")'), invoked(0), "violated 1"],
    [condition("invocations.size() > 2"), invoked(0), "passed"],
    [condition("invocations.size() > 2"), invoked(7), "undecided too_large"],
    [condition("invocations.size() > 2"), {}, "undecided not_stated"],
  ])("what a plan invokes: %j on %j: %s", (limits, but, expected) => {
    expect(told(limits, stage(but))).toEqual([expected]);
  });

  test("what an incomplete plan invokes is undecided", () => {
    const { planNotes } = invoked(0);
    const incomplete = { deferred: [{ address: "action.a.b", change: "invoked" as const }], more: 0 };
    const part = stage({ ...(planNotes && { planNotes: { ...planNotes, incomplete } }) });
    expect(told(rule("invocations: 9"), part)).toEqual(["undecided incomplete_plan"]);
    const deletes = condition('changes.rows.exists(r, r.action == "deleted")');
    expect(told(deletes, part)).toEqual(["undecided incomplete_plan"]);
  });

  test.each<[string, Partial<StageFacts>]>([
    ["not_indexed", { counts: { state: "unknown", reason: "not_indexed" } }],
    ["not_stated", { counts: { state: "absent" } }],
    ["unavailable", { counts: { state: "stale", value: counts(), ageMs: 1 } }],
    ["execution_failed", { status: "failed" }],
    ["execution_pending", { status: "pending" }],
    ["unproven", { proven: false }],
  ])("every limit on changes is undecided by what is %s", (because, but) => {
    for (const limit of ["deletions: 99", "replacements: 99", "changes: 99", "drift: 99"]) {
      expect(told(rule(limit), stage(but))).toEqual([`undecided ${because}`]);
      expect(told(rule(limit), stage(), stage(but))).toEqual([`undecided ${because}`]);
      expect(told(rule(limit, "per: stage"), stage(but))).toEqual([`undecided production: ${because}`]);
    }
  });

  const leaving = (
    unpriced: { count: number; types: Record<string, number> } | null,
    but: Partial<StageFacts> = {},
  ) => stage({ cost: known(cost("1 > 1", { unpriced })), ...but });
  const NONE = { count: 0, types: {} };
  test.each<[string, StageFacts, string]>([
    ["none", leaving(NONE), "passed 0"],
    ["one", leaving({ count: 1, types: { aws_x: 1 } }), "violated 1"],
    ["not stated", leaving(null), "undecided not_stated"],
    [
      "told by half an estimate",
      leaving(NONE, { cost: known(cost("1 > 1", { completeness: "partial" })) }),
      "undecided partly_estimated",
    ],
    ["told by a failed execution", leaving(NONE, { status: "failed" }), "undecided execution_failed"],
    ["told by nobody", leaving(NONE, { cost: { state: "absent" } }), "undecided not_estimated"],
    [
      "told beside figures that contradict each other",
      leaving(NONE, { cost: known(cost("1 > 1 by 9")) }),
      "passed 0",
    ],
  ])("unpriced: 0 where %s: %s", (_, given, expected) => {
    expect(told(rule("unpriced: 0"), given)).toEqual([expected]);
  });

  test("are summed over the stages", () => {
    const both = [
      stage({ counts: known(counts({ deleted: 2 })) }),
      stage({ counts: known(counts({ deleted: 3 })) }),
    ];
    expect(told(rule("deletions: 4"), ...both)).toEqual(["violated 5"]);
    expect(told(rule("deletions: 99"))).toEqual(["undecided not_read"]);
  });
});

describe("subjects", () => {
  test("a rule per stage names each stage that breaks it, the largest first", () => {
    const stages = ["100 > 150", "100 > 900", "100 > 100"].map((text, index) =>
      stage({ workspace: `w${index}`, cost: known(cost(text)) }),
    );
    expect(told(rule("increase: 10 USD", "per: stage"), ...stages)).toEqual([
      "violated w1: 800 USD",
      "violated w0: 50 USD",
    ]);
    expect(told(rule("increase: 900 USD", "per: stage"), ...stages)).toEqual(["passed w1: 800 USD +2"]);
    expect(told(rule("deletions: 0", "per: stage"), ...stages)).toEqual(["passed w0: 0 +2"]);
  });

  test("stages of one name are distinguished", () => {
    const stages = ["a", "b"].map((project) => stage({ project, cost: known(cost("1 > 9")) }));
    expect(told(rule("increase: 1 USD", "per: stage"), ...stages)).toEqual([
      "violated a/production: 8 USD",
      "violated b/production: 8 USD",
    ]);
  });

  test("a rule per module measures sums over the stages", () => {
    const stages = [1, 2].map(() =>
      stage({ cost: known(cost("0 > 6")), modules: known([moduleCost("web", "0 > 6")]) }),
    );
    expect(told(rule("total: 11 USD", "per: module"), ...stages)).toEqual(["violated web: 12 USD"]);
  });

  const WEB = known([moduleCost("web", "1 > 1")]);
  const UNREAD = { state: "unknown", reason: "timed_out" } as const;
  test.each<[string, string, Partial<StageFacts>, string[]]>([
    ["no module", "increase: 0 USD", { modules: known([]) }, ["passed"]],
    ["modules not read", "increase: 9 USD", { modules: UNREAD }, ["undecided timed_out"]],
    ["modules absent", "increase: 9 USD", { modules: { state: "absent" } }, ["undecided not_stated"]],
    ["a rest that changes", "increase: 9 USD", { cost: known(cost("100 > 105")) }, ["undecided partial"]],
    [
      "a rest that rounding explains",
      "increase: 9 USD",
      { cost: known(cost("1 > 1.01")), modules: WEB },
      ["passed web: 0 USD"],
    ],
    ["a rest that does not change", "increase: 9 USD", { modules: WEB }, ["passed web: 0 USD"]],
    ["a rest that is paid", "total: 9 USD", { modules: WEB }, ["undecided partial"]],
    [
      "a module of another currency",
      "increase: 9 USD",
      { modules: known([moduleCost("web", "1 > 2", "EUR")]) },
      ["undecided web: EUR for USD"],
    ],
    [
      "a violation beside a rest",
      "increase: 9 USD",
      { cost: known(cost("100 > 200")), modules: known([moduleCost("web", "0 > 50")]) },
      ["violated web: 50 USD", "undecided partial"],
    ],
    [
      "a stage that is not known",
      "increase: 9 USD",
      { status: "failed", modules: known([]) },
      ["undecided execution_failed"],
    ],
  ])("a rule per module with %s", (...[, limit, but, expected]) => {
    expect(told(rule(limit, "per: module"), stage(but))).toEqual(expected);
  });

  test("a rule per resource type measures the changed resources", () => {
    const groups = [group("aws_instance", "10 > 30"), group("aws_db_instance", "50 > 20")];
    const changed = stage({ cost: known(cost("100 > 90", { groups })) });
    expect(told(rule("increase: 15 USD", "per: resource-type"), changed)).toEqual([
      "violated aws_instance: 20 USD",
    ]);
    expect(told(rule("percent: 200", "per: resource-type"), changed)).toEqual([
      "passed aws_instance: 200 +1",
    ]);
  });

  test("of one outcome beyond a hundred are counted", () => {
    const modules = Array.from({ length: 130 }, (_, index) => moduleCost(`m${index}`, `0 > ${index + 1}`));
    const many = stage({ cost: known(cost("0 > 8515")), modules: known(modules) });
    const listed = told(rule("increase: 10 USD", "per: module"), many);
    expect(listed).toHaveLength(100);
    expect(listed[0]).toBe("violated m129: 130 USD");
    expect(listed[99]).toBe("violated m30: 31 USD +20");
  });

  test("that may not be shown make every rule undecided", () => {
    const report = buildReport({ ...NO_FACTS, stages: [stage()], refused: [HIDDEN] }, { stages: [] });
    const policies = ["increase: 9 USD", "percent: 9", "deletions: 9", "unpriced: 9"].flatMap((limit) => [
      rule(limit),
      rule(limit, "per: stage"),
    ]);
    for (const policy of policies)
      expect(evaluatePolicy(report, policy, { context: CONTEXT }).kind).toBe("undecided");
  });
});
