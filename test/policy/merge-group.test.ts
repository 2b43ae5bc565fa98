import { describe, expect, test } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { serializeFigures } from "../../src/policy/approvals/lapse.ts";
import { evaluatePolicy } from "../../src/policy/evaluate-policy.ts";
import type { GroupEntry, GroupSum } from "../../src/policy/evaluate-sum.ts";
import { evaluateSum } from "../../src/policy/evaluate-sum.ts";
import type { Approval } from "../../src/policy/model/approval.ts";
import type { EvaluationContext } from "../../src/policy/model/context.ts";
import type { Policy } from "../../src/policy/model/policy.ts";
import { ConditionRun } from "../../src/policy/when/condition-run.ts";
import { buildReport } from "../../src/report/build.ts";
import type { StageFacts } from "../../src/report/model/facts.ts";
import {
  cost,
  counts,
  facts,
  group,
  known,
  listed,
  moduleCost,
  resource,
  row,
  stage,
} from "../report/facts.ts";
import { CONTEXT, policy, rule } from "./policies.ts";

const NOW = CONTEXT.nowMs;
const budget = (amount: string): Policy => policy(`budgets: [{ id: r, amount: ${amount} }]`);

interface Queued {
  readonly stages: readonly StageFacts[];
  readonly context?: Partial<EvaluationContext>;
  /** Rules that somebody signed for. */
  readonly signed?: readonly string[];
  /** Most that they signed for, in USD; left out: nothing about money. */
  readonly upTo?: string;
}

/** Workspace, "before > after", and how many resources change. */
const plan = (workspace: string, text: string, changed = 1): StageFacts =>
  stage({ workspace, cost: known(cost(text)), counts: known(counts({ changed })) });

/** The entry with its own findings, those that were signed for marked so. */
function entry(rules: Policy, number: number, { stages, context, signed = [], upTo }: Queued): GroupEntry {
  const report = buildReport(facts(...stages), { stages: [] });
  const own = { ...CONTEXT, number, ...context };
  const findings = evaluatePolicy(report, rules, { context: own }).findings.map((finding) =>
    signed.includes(finding.rule) ? { ...finding, approved: true } : finding,
  );
  const approvals = signed.map(
    (id): Approval => ({
      ...{ id, approver: { id: 1, login: "ada" }, headSha: "", baseRef: "main", givenMs: 0, reason: "" },
      ...{ violated: [id], ground: [], figures: serializeFigures(report) },
      upTo: upTo === undefined ? null : { amount: decimal(upTo), currency: "USD" },
      covered: [{ rule: id, ruleText: "", groups: [0], findings: [] }],
    }),
  );
  return { number, report, context: own, findings, approvals };
}

/** `planned`: by executions of the group's own commit. */
const evaluatePlanned = (
  rules: Policy,
  planned: readonly StageFacts[] | null,
  queued: readonly Queued[],
  merged: readonly (Queued & { readonly number: number; readonly mergedMs: number })[] = [],
): GroupSum =>
  evaluateSum(
    rules,
    queued.map((one, index) => entry(rules, index + 1, one)),
    {
      planned: planned && buildReport(facts(...planned), { stages: [] }),
      merged: merged.map((one) => ({ ...one, report: buildReport(facts(...one.stages), { stages: [] }) })),
      nowMs: NOW,
      conditions: new ConditionRun(),
    },
  );

const evaluateGroup = (rules: Policy, ...queued: readonly Queued[]): GroupSum =>
  evaluatePlanned(rules, null, queued);

/** `passed`, or what holds the group. */
function describeVerdict(sum: GroupSum): string {
  if (sum.kind === "overlap")
    return sum.overlaps
      .map(({ workspace, pulls, merged, parts, unknown }) =>
        [
          `${workspace} by ${pulls.map((one) => `${one}${merged.includes(one) ? " merged" : ""}`).join("+")}:`,
          ...parts,
          ...unknown.map((number) => `${number}?`),
        ].join(" "),
      )
      .join(", ");
  if (sum.kind !== "exceeded") return sum.kind;
  return sum.findings
    .map(({ rule: id, outcome, subject, measured, because }) => {
      const value = measured === null ? "" : Object.values(measured).slice(1).join(" ");
      const reasons = because.map((each) => (each.kind === "unknown" ? each.reason : each.kind));
      return [id, outcome, subject, value, ...reasons]
        .filter((part) => part !== null && part !== "")
        .join(" ");
    })
    .join(", ");
}

const A = (text: string): Queued => ({ stages: [plan("a", text)] });
const B = (text: string): Queued => ({ stages: [plan("b", text)] });
const C = (text: string): Queued => ({ stages: [plan("c", text)] });

const RISE = rule("increase: 50 USD");
const THREE = [A("0 > 0"), B("0 > 0"), C("0 > 0")];
const EUROS = { stages: [stage({ workspace: "b", cost: known(cost("0 > 1", { currency: "EUR" })) })] };
/** Each plans one of two workspaces and leaves the other as it is. */
const CROSSED = [
  { stages: [plan("a", "10 > 30"), plan("b", "50 > 50", 0)] },
  { stages: [plan("a", "10 > 10", 0), plan("b", "50 > 60")] },
];

describe("the sum of a merge group", () => {
  test.each<[string, Policy, readonly Queued[], string]>([
    ["one entry has none", RISE, [A("0 > 40")], "single"],
    ["an entry that plans nothing adds nothing", RISE, [A("0 > 40"), { stages: [] }], "single"],
    ["money adds up", RISE, [A("0 > 30"), B("0 > 20")], "passed"],
    ["and is compared exactly", RISE, [A("0 > 30"), B("0 > 20.01")], "r violated 50.01 USD"],
    ["a saving makes room", RISE, [A("0 > 40"), B("100 > 80"), C("0 > 30")], "passed"],
    [
      "a rule per stage looks at each stage, as before",
      rule("increase: 50 USD", "per: stage"),
      [A("0 > 40"), B("0 > 40")],
      "passed",
    ],
    ["counts add up", rule("changes: 3"), THREE, "passed"],
    ["and exceed", rule("changes: 2"), THREE, "r violated 3"],
    ["a rule that only warns holds nothing", rule("changes: 2", "enforce: warn"), THREE, "passed"],
    ["nor does one before its first day", rule("changes: 2", "enforce_from: 2026-01-02"), THREE, "passed"],
    [
      "one holds from its first day on",
      rule("changes: 2", "enforce_from: 2026-01-01"),
      THREE,
      "r violated 3",
    ],
    [
      "nor do two plans of one workspace before it",
      rule("changes: 2", "enforce_from: 2026-01-02"),
      [A("0 > 0"), A("0 > 0")],
      "passed",
    ],
    ["two currencies are never added", RISE, [A("0 > 30"), EUROS], "r undecided other_currency"],
    ["the total counts every workspace once", rule("total: 100 USD"), CROSSED, "passed"],
    ["as it will be after all of them", rule("total: 89 USD"), CROSSED, "r violated 90 USD"],
    [
      "a condition is asked of the sum",
      policy('rules: [{ id: r, when: "cost.change > 50" }]'),
      [A("0 > 30"), B("0 > 30")],
      "r violated",
    ],
    [
      "under each one's own labels",
      policy("rules: [{ id: r, when: \"cost.change > 50 && !('large' in pull.labels)\" }]"),
      [{ ...A("0 > 30"), context: { labels: ["large"] } }, B("0 > 30")],
      "r violated",
    ],
    [
      "a condition on attributes, which no stored evaluation has, decides about each entry alone",
      policy('rules: [{ id: r, when: "resources.exists(x, has(x.attributes_after.size))" }]'),
      [A("0 > 30"), B("0 > 30")],
      "passed",
    ],
    [
      "a rule about some of them adds up those",
      rule("increase: 50 USD", "scope: { labels: [infra] }"),
      [{ ...A("0 > 40"), context: { labels: ["infra"] } }, B("0 > 40")],
      "passed",
    ],
    [
      "a budget that nobody could read",
      budget("500 USD"),
      [A("0 > 30"), B("0 > 30")],
      "r undecided not_read",
    ],
  ])("%s", (...[, rules, queued, described]) => {
    expect(describeVerdict(evaluateGroup(rules, ...queued))).toBe(described);
  });
});

describe("what was allowed in an entry", () => {
  const approve = rule("increase: 50 USD", "approve: { permission: admin }");
  const excepted = policy(`
rules: [{ id: r, limit: { increase: 50 USD } }]
waivers: [{ rule: r, scope: { workspaces: [a] }, up_to: 900 USD, until: 2026-03-01, reason: load test, owner: finops }]
`);
  const two = policy(
    "rules: [{ id: r, limit: { increase: 50 USD } }, { id: s, limit: { changes: 0 }, approve: { permission: admin } }]",
  );
  const signed = (id: string, queued: Queued): Queued => ({ ...queued, signed: [id] });
  test.each<[string, Policy, readonly Queued[], string]>([
    ["by signature is not counted again", approve, [signed("r", A("0 > 800")), B("0 > 45")], "passed"],
    [
      "leaves the others their limit",
      approve,
      [signed("r", A("0 > 800")), B("0 > 45"), C("0 > 6")],
      "r violated 851 USD",
    ],
    ["may be all of it", approve, [signed("r", A("0 > 800")), signed("r", B("0 > 60"))], "passed"],
    [
      "for another rule does not count",
      two,
      [signed("s", A("0 > 40")), signed("s", B("0 > 40"))],
      "r violated 80 USD",
    ],
    ["by exception neither", excepted, [A("0 > 800"), B("0 > 45")], "passed"],
    [
      "an exception is not for others",
      excepted,
      [A("0 > 800"), B("0 > 45"), C("0 > 6")],
      "r violated 851 USD",
    ],
  ])("%s", (...[, rules, queued, described]) => {
    expect(describeVerdict(evaluateGroup(rules, ...queued))).toBe(described);
  });
});

describe("a workspace that two entries touch", () => {
  const limit = rule("increase: 50 USD");
  const untold = stage({ workspace: "a", cost: known(cost("5 > 5")), counts: { state: "absent" } });
  test.each<[string, readonly Queued[], string]>([
    ["is undecided where their changes are not listed", [A("0 > 1"), A("0 > 1")], "a by 1+2: 1? 2?"],
    ["also where the plans change no cost", [A("5 > 5"), A("5 > 5")], "a by 1+2: 1? 2?"],
    [
      "not where one leaves it alone",
      [A("5 > 6"), { stages: [plan("a", "5 > 5", 0), plan("b", "0 > 1")] }],
      "passed",
    ],
    ["but where that is not known", [A("5 > 6"), { stages: [untold] }], "a by 1+2: 1? 2?"],
    [
      "and all are named",
      [A("0 > 1"), { stages: [plan("a", "0 > 1"), plan("b", "0 > 1")] }, B("0 > 1")],
      "a by 1+2: 1? 2?, b by 2+3: 2? 3?",
    ],
  ])("%s", (_, queued, described) => {
    expect(describeVerdict(evaluateGroup(limit, ...queued))).toBe(described);
  });

  test("is not undecided where a rule is about one of them", () => {
    const labelled = rule("increase: 50 USD", "scope: { labels: [infra] }");
    const infra = { ...A("0 > 1"), context: { labels: ["infra"] } };
    expect(describeVerdict(evaluateGroup(labelled, infra, A("0 > 1")))).toBe("passed");
  });

  test("of another project is another one", () => {
    const other = { stages: [stage({ project: "other", workspace: "a", cost: known(cost("0 > 1")) })] };
    expect(evaluateGroup(limit, A("0 > 1"), other).kind).toBe("passed");
  });

  test("matters only to rules that block a merge", () => {
    expect(evaluateGroup(rule("increase: 50 USD", "enforce: warn"), A("0 > 1"), A("0 > 1")).kind).toBe(
      "passed",
    );
  });
});

describe("plans of one workspace", () => {
  /** Before and after, and the addresses that change. */
  const changing = (text: string, but: Partial<StageFacts> = {}): Queued => {
    const [, amounts = "", addresses = ""] = /^(\S+ > \S+) (.*)$/.exec(text) ?? [];
    const rows = addresses.split(" ").map((address) => row(address, "changed"));
    const own = { rows: listed(...rows), counts: known(counts({ changed: rows.length })), ...but };
    return { stages: [stage({ workspace: "a", cost: known(cost(amounts)), ...own })] };
  };
  const priced = (text: string, address: string) =>
    known(cost(text, { groups: [group("aws_b", text, [resource(address, text)])] }));
  const [X, Y, DRIFT] = [row("aws_b.x", "changed"), row("aws_b.y", "changed"), row("aws_b.d", "drifted")];
  const moved = listed({ ...row("aws_b.new", "moved"), previousAddress: "aws_b.x" });
  const part = known({ rows: [Y], omitted: 0, unread: 1 });
  const ofX = "a by 1+2: aws_b.x";
  const ofRoot = "a by 1+2: module.root";

  test.each<[string, string, string | Partial<StageFacts>, string, Partial<StageFacts>?]>([
    ["add up where they change different resources", "9 > 29 aws_b.x", "9 > 19 aws_b.y", "passed"],
    ["exceed together", "9 > 29 aws_b.x", "9 > 40 aws_b.y", "r violated 51 USD"],
    ["have no sum where they change one resource", "9 > 9 aws_b.x aws_b.z", "9 > 9 aws_b.y aws_b.x", ofX],
    ["nor instances of one resource", '9 > 9 aws_b.x["a.b"]', "9 > 9 aws_b.x[1]", ofX],
    ["nor where one only moves it", "9 > 9 aws_b.x", { rows: moved, counts: known(counts()) }, ofX],
    ["nor one module", '9 > 9 module.m["e"].aws_b.x', "9 > 9 module.m.aws_c.y", "a by 1+2: module.m"],
    ["nor one that is called root", "9 > 9 module.root.aws_b.x", "9 > 9 module.root.aws_c.y", ofRoot],
    ["but different modules", "9 > 9 module.m.aws_b.x", "9 > 9 module.m.module.n.aws_b.x", "passed"],
    ["nor where one moves what the other changes", "9 > 9 aws_b.x", { rows: moved }, ofX],
    ["nor where the estimate of one does", "9 > 9 aws_b.x", { cost: priced("9 > 8", "aws_b.x") }, ofX],
    ["nor where rows were not read", "9 > 9 aws_b.x", { rows: part }, "a by 1+2: 2?"],
    ["drift is no change", "", { rows: listed(Y, DRIFT) }, "passed", { rows: listed(X, DRIFT) }],
  ])("%s", (...[, first, second, described, but]) => {
    const other = typeof second === "string" ? changing(second) : changing("9 > 9 aws_b.y", second);
    expect(describeVerdict(evaluateGroup(RISE, changing(first || "9 > 9 aws_b.x", but), other))).toBe(
      described,
    );
  });

  test.each([
    ["up to what it will be", "195", "passed"],
    ["but no less", "194", "r violated 195 USD"],
  ])("are covered in a total by an approval %s", (_, upTo, described) => {
    const limit = rule("total: 100 USD", "approve: { permission: admin }");
    const first = { ...changing("50 > 150 aws_b.x"), signed: ["r"], upTo };
    expect(describeVerdict(evaluateGroup(limit, first, changing("50 > 95 aws_b.y")))).toBe(described);
  });

  test("are not covered by an approval of a condition on what is paid afterwards", () => {
    const limit = policy('rules: [{ id: r, when: "cost.after > 100", approve: { permission: admin } }]');
    const first = { ...changing("50 > 150 aws_b.x"), signed: ["r"] };
    expect(describeVerdict(evaluateGroup(limit, first, changing("50 > 95 aws_b.y")))).toBe("r violated");
  });

  test.each(["", ", existing: include"])("count one drifted resource once%s", (existing) => {
    const plans = ["aws_b.d", "aws_b.y"].map((address) =>
      changing("9 > 9 aws_b.d", {
        rows: listed(row(address, "changed"), DRIFT),
        counts: known(counts({ changed: 1, drifted: 1 })),
      }),
    );
    const limit = policy(`rules: [{ id: r, limit: { drift: 1 }${existing} }]`);
    expect(describeVerdict(evaluateGroup(limit, ...plans))).toBe("passed");
  });

  test.each<[string, Policy, readonly Queued[], Queued, string]>([
    [
      "have none after it",
      RISE,
      [changing("9 > 9 aws_b.x")],
      changing("9 > 9 aws_b.x"),
      "a by 1+9 merged: aws_b.x",
    ],
    [
      "pass where it changed another resource",
      RISE,
      [changing("9 > 9 aws_b.x")],
      changing("9 > 9 aws_b.y"),
      "single",
    ],
    [
      "pass where it left the workspace alone",
      RISE,
      [A("9 > 19")],
      { stages: [plan("a", "9 > 9", 0)] },
      "single",
    ],
    [
      "have none where not all that it changed is known",
      RISE,
      [changing("9 > 9 aws_b.x")],
      A("9 > 19"),
      "a by 1+9 merged: 9?",
    ],
    [
      "pass where nothing can block",
      rule("increase: 9 USD", "enforce: warn"),
      [A("9 > 19")],
      A("9 > 19"),
      "single",
    ],
    [
      "are named without those of other resources",
      RISE,
      [changing("9 > 9 aws_b.y"), changing("9 > 9 aws_b.x")],
      changing("9 > 9 aws_b.x"),
      "a by 2+9 merged: aws_b.x",
    ],
  ])("that are older than a merge %s", (...[, rules, queued, other, described]) => {
    const at = (mergedMs: number) => [{ ...other, number: 9, mergedMs }];
    expect(describeVerdict(evaluatePlanned(rules, null, queued, at(1)))).toBe(described);
    expect(describeVerdict(evaluatePlanned(rules, null, queued, at(0)))).toBe(
      queued.length === 1 ? "single" : "passed",
    );
    expect(describeVerdict(evaluatePlanned(rules, [plan("a", "9 > 9")], queued, at(1)))).toBe("passed");
  });

  const APPROVE = "approve: { permission: admin }";
  const PAID = policy('rules: [{ id: r, when: "cost.after > 100" }]');
  const up = changing("50 > 90 aws_b.x");
  test.each<[string, Policy, Queued, string, string]>([
    ["in a total", rule("total: 100 USD"), up, "50 > 90 aws_b.y", "r violated 130 USD"],
    ["in a total that is reached exactly", rule("total: 130 USD"), up, "50 > 90 aws_b.y", "single"],
    ["in conditions on what is paid", PAID, up, "50 > 90 aws_b.y", "r violated"],
    ["in no increase", rule("increase: 50 USD"), up, "50 > 90 aws_b.y", "single"],
    [
      "without holding what saves",
      rule("total: 100 USD"),
      changing("50 > 49 aws_b.x"),
      "50 > 190 aws_b.y",
      "single",
    ],
    [
      "up to an approval",
      rule("total: 80 USD", APPROVE),
      { ...up, signed: ["r"], upTo: "130" },
      "50 > 90 aws_b.y",
      "single",
    ],
    [
      "above an approval",
      rule("total: 80 USD", APPROVE),
      { ...up, signed: ["r"], upTo: "129" },
      "50 > 90 aws_b.y",
      "r violated 130 USD",
    ],
  ])("that are older than a merge count it %s", (...[, rules, queued, other, described]) => {
    const merged = [{ ...changing(other), number: 9, mergedMs: 1 }];
    expect(describeVerdict(evaluatePlanned(rules, null, [queued], merged))).toBe(described);
    expect(
      describeVerdict(
        evaluatePlanned(rules, null, [queued], [{ ...changing(other), number: 9, mergedMs: 0 }]),
      ),
    ).toBe("single");
  });

  test.each<[string, Partial<StageFacts>]>([
    ["of unknown cost", { cost: { state: "absent" } }],
    ["in another currency", { cost: known(cost("50 > 90", { currency: "EUR" })) }],
  ])("that are older than a merge %s are undecided in a total", (_, but) => {
    const merged = [{ ...changing("50 > 90 aws_b.y", but), number: 9, mergedMs: 1 }];
    expect(describeVerdict(evaluatePlanned(rule("total: 900 USD"), null, [up], merged))).toContain(
      "r undecided",
    );
  });

  test("that are older than a merge state their own percentage", () => {
    const merged = [{ ...changing("50 > 90 aws_b.y"), number: 9, mergedMs: 1 }];
    const queued = [up, changing("50 > 60 aws_b.z")];
    expect(describeVerdict(evaluatePlanned(rule("percent: 99"), null, queued, merged))).toBe(
      "r violated 100",
    );
  });

  test("do not overlap where only merged ones do", () => {
    const merged = [8, 9].map((number) => ({ ...changing("9 > 9 aws_b.x"), number, mergedMs: 1 }));
    expect(describeVerdict(evaluatePlanned(RISE, null, [changing("9 > 9 aws_b.y")], merged))).toBe("single");
  });

  test.each<[string, Policy, string]>([
    ["what is paid afterwards, from the newest plan on", rule("total: 55 USD"), "r violated 60 USD"],
    ["a stage by its sum", rule("increase: 39 USD", "per: stage"), "r violated a 40 USD"],
    ["a module by its sum", rule("increase: 39 USD", "per: module"), "r violated root 40 USD"],
    ["the percentage of what is paid", rule("percent: 199"), "r violated 200"],
    ["resources", rule("changes: 1"), "r violated 2"],
    ["types by their sum", rule("increase: 39 USD", "per: resource-type"), "r violated aws_b 40 USD"],
  ])("count %s", (_, rules, described) => {
    const plans = ["10 > 30", "20 > 40"].map((text, index) =>
      changing(`${text} aws_b.${index}`, {
        createdMs: index,
        cost: priced(text, `aws_b.${index}`),
        modules: known([moduleCost("root", text)]),
      }),
    );
    expect(describeVerdict(evaluateGroup(rules, ...plans))).toBe(described);
  });
});

test("what is paid by usage adds up over the plans of one workspace", () => {
  const using = (address: string): Queued => {
    const resources = [{ address, type: "aws_b", change: "added" as const }];
    const usage = { resources, unnamed: 0, unnamedUnchanged: 0 };
    const rows = listed(row(address, "added"));
    return { stages: [stage({ workspace: "a", cost: known(cost("1 > 1", { usage })), rows })] };
  };
  expect(describeVerdict(evaluateGroup(rule("usage: 1"), using("aws_b.x"), using("aws_b.y")))).toBe(
    "r violated 2",
  );
});

describe("an execution of the group's own commit", () => {
  const APPROVE = "approve: { permission: admin }";
  const [limit, total] = [rule("increase: 50 USD", APPROVE), rule("total: 50 USD", APPROVE)];
  const deletion = rule("deletions: 0", APPROVE);
  const condition = policy(`rules: [{ id: r, when: "cost.change > 50", ${APPROVE} }]`);
  const two = policy(
    `rules: [{ id: r, limit: { increase: 50 USD } }, { id: s, limit: { total: 9 USD }, ${APPROVE} }]`,
  );
  const deletes = (...addresses: readonly string[]) =>
    stage({
      ...{ workspace: "a", counts: known(counts({ deleted: addresses.length })) },
      rows: listed(...addresses.map((address) => row(address, "deleted"))),
    });
  const deleted = (address: string): Queued => ({ stages: [deletes(address)], signed: ["r"] });
  const signed = (text: string, upTo?: string, id = "r"): Queued => ({
    ...{ ...A(text), signed: [id] },
    ...(upTo !== undefined && { upTo }),
  });
  const PAIR = [signed("0 > 80", "80"), signed("0 > 70", "70")];
  const SMALL = [A("0 > 1"), A("0 > 1")];
  const unknown = stage({ workspace: "a", cost: { state: "absent" } });
  const DELETED = [deleted("aws_b.x"), deleted("aws_b.y")];
  /** The group's own plan is one of the workspace a, unless it is given. */
  test.each<[string, Policy, string | StageFacts, readonly Queued[], string]>([
    ["decides where two change one workspace", limit, "0 > 50", [A("0 > 40"), A("0 > 40")], "passed"],
    ["and where it is more than their sum", limit, "0 > 51", SMALL, "r violated 51 USD"],
    ["decides about one pull request", limit, "0 > 51", [A("0 > 1")], "r violated 51 USD"],
    ["leaves other workspaces to the sum", limit, "0 > 20", [A("0 > 1"), B("0 > 31")], "r violated 51 USD"],
    ["whose overlaps it does not decide", limit, plan("c", "0 > 20"), SMALL, "a by 1+2: 1? 2?"],
    ["is unknown where its cost is", limit, unknown, [A("0 > 1")], "r undecided not_estimated"],
    ["is covered by an approval", limit, "0 > 90", [signed("0 > 80", "90"), A("0 > 1")], "passed"],
    ["by approvals together", limit, "0 > 150", PAIR, "passed"],
    ["by no more than they say", limit, "0 > 151", PAIR, "r violated 151 USD"],
    ["what is paid afterwards by one of them", total, "0 > 81", PAIR, "r violated 81 USD"],
    ["by none for another rule", two, "0 > 60", [signed("0 > 60", "99", "s")], "r violated 60 USD"],
    ["by those of what it deletes", deletion, deletes("aws_b.x", "aws_b.y"), DELETED, "passed"],
    ["by none of something else", deletion, deletes("aws_b.z"), DELETED, "r violated 1"],
    ["without size by one of these figures", condition, "0 > 60", [signed("0 > 60")], "passed"],
    ["without size by none of others", condition, "0 > 61", [signed("0 > 60")], "r violated"],
  ])("%s", (...[, rules, own, queued, described]) => {
    const planned = [typeof own === "string" ? plan("a", own) : own];
    expect(describeVerdict(evaluatePlanned(rules, planned, queued))).toBe(described);
  });
});

test("what the group itself brings is not counted twice in a budget", () => {
  const limit = budget("100 USD");
  const place = { org: "o", project: "p", currency: "USD" };
  const context = {
    budgetUse: {
      workspaces: [{ ...place, workspace: "z", amount: decimal("20") }],
      pulls: [
        { ...place, number: 1, workspace: "a", amount: decimal("30") },
        { ...place, number: 9, workspace: "y", amount: decimal("10") },
      ],
      unknown: [],
    },
  };
  const described = (b: string) =>
    describeVerdict(evaluateGroup(limit, { ...A("0 > 30"), context }, { ...B(b), context }));
  expect(described("0 > 40")).toBe("passed");
  expect(described("0 > 40.01")).toBe("r violated 100.01 USD");
});

test("what the group's own plan states is counted once in a budget: other workspaces, and what was merged since", () => {
  const place = { org: "o", project: "p", currency: "USD" };
  const context = {
    budgetUse: {
      workspaces: [{ ...place, workspace: "z", amount: decimal("20") }],
      pulls: [
        { ...place, number: 9, workspace: "a", amount: decimal("30") },
        { ...place, number: 9, workspace: "y", amount: decimal("1") },
      ],
      unknown: [],
    },
  };
  const at = (workspace: string, text: string) => ({ ...plan(workspace, text), org: "o", project: "p" });
  const queued = [{ stages: [at("a", "40 > 50")], context }];
  const merged = [{ stages: [at("a", "40 > 70")], number: 9, mergedMs: 1 }];
  const tellOf = (amount: string, since: typeof merged) =>
    describeVerdict(evaluatePlanned(budget(amount), [at("a", "70 > 80"), at("z", "20 > 21")], queued, since));
  expect(tellOf("102 USD", merged)).toBe("passed");
  expect(tellOf("101 USD", merged)).toBe("r violated 102 USD");
  expect(tellOf("102 USD", [])).toBe("r violated 132 USD");
});

describe("what is paid by usage", () => {
  const queue = (workspace: string) =>
    stage({
      workspace,
      cost: known(
        cost("1 > 1", {
          usage: {
            resources: [{ address: "cloud_queue.a", type: "cloud_queue", change: "added" }],
            unnamed: 0,
            unnamedUnchanged: 0,
          },
        }),
      ),
      counts: known(counts({ added: 1 })),
    });
  const queued = ["a", "b"].map((workspace) => ({ stages: [queue(workspace)] }));

  test("adds up over the entries, and is as unknown in their sum as in each", () => {
    expect(describeVerdict(evaluateGroup(rule("usage: 2"), ...queued))).toBe("passed");
    expect(evaluateGroup(rule("usage: 1"), ...queued)).toMatchObject({
      kind: "exceeded",
      findings: [{ measured: { count: 2 } }],
    });
    expect(evaluateGroup(rule("increase: 5 USD"), ...queued)).toMatchObject({
      kind: "exceeded",
      findings: [{ outcome: "undecided", because: [{ kind: "usage", count: 2 }] }],
    });
  });
});

test("a group that lowers what is above a ceiling is not blocked by it", () => {
  const falling = [{ stages: [plan("a", "900 > 800")] }, { stages: [plan("b", "900 > 890")] }];
  expect(describeVerdict(evaluateGroup(rule("total: 500 USD"), ...falling))).toBe("passed");
  const rising = [{ stages: [plan("a", "900 > 800")] }, { stages: [plan("b", "900 > 1001")] }];
  expect(evaluateGroup(rule("total: 500 USD"), ...rising).kind).toBe("exceeded");
});
