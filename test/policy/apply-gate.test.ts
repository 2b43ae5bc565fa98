import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimal } from "../../src/kernel/money.ts";
import { verifyPlan } from "../../src/policy/apply-gate.ts";
import type { ApplyResult, PlannedAction, Tolerance, WorkspacePlan } from "../../src/policy/model/apply.ts";
import { money } from "../render/evaluation-builder.ts";

type Change = readonly [address: string, action: PlannedAction, before?: string, after?: string];

const cost = (change: string, currency = "USD"): WorkspacePlan["cost"] => ({
  state: "known",
  currency,
  before: decimal("1000"),
  after: decimal(String(1000 + Number(change))),
  change: decimal(change),
});

const plan = (changes: readonly Change[], rest: Partial<WorkspacePlan> = {}): WorkspacePlan => ({
  workspace: "prod",
  cost: { state: "not_estimated" },
  isComplete: true,
  changes: changes.map(([address, action, before, after]) => ({
    address,
    action,
    before: before === undefined ? null : decimal(before),
    after: after === undefined ? null : decimal(after),
  })),
  ...rest,
});
const priced = (change: string, changes: readonly Change[] = [], currency?: string): WorkspacePlan =>
  plan(changes, { cost: cost(change, currency) });

const WITHIN: ApplyResult = { kind: "within", cost: "not_estimated" };
const COMPARED: ApplyResult = { kind: "within", cost: "compared" };
const undecided = (...because: Extract<ApplyResult, { kind: "undecided" }>["because"]): ApplyResult => ({
  kind: "undecided",
  because,
});
const action = (address: string, found: PlannedAction, ...expected: PlannedAction[]): ApplyResult => ({
  kind: "exceeds",
  differences: [{ kind: "action", address, expected, found }],
  more: 0,
});
const tooExpensive = (expected: string, allowed: string, found: string): ApplyResult => ({
  kind: "exceeds",
  differences: [
    {
      kind: "cost",
      currency: "USD",
      expected: decimal(expected),
      allowed: decimal(allowed),
      found: decimal(found),
    },
  ],
  more: 0,
});

describe("the actions of an apply, compared with the evaluated plans", () => {
  /** Changes of one address. */
  const on = (...actions: readonly PlannedAction[]) => actions.map((one): Change => ["a.b", one]);
  const other: Change = ["c.d", "deleted"];
  it.each<[string, readonly (readonly Change[])[], readonly Change[], ApplyResult]>([
    ["the same actions", [on("added")], on("added"), WITHIN],
    ["nothing at all", [on("deleted")], [], WITHIN],
    ["less: a change where a replacement was evaluated", [on("replaced")], on("changed"), WITHIN],
    ["more than a change", [on("changed")], on("replaced"), action("a.b", "replaced", "changed")],
    [
      "no second half of a replacement",
      [on("replaced")],
      on("deleted"),
      action("a.b", "deleted", "replaced"),
    ],
    [
      "more than an import with a change",
      [on("imported", "changed")],
      on("replaced"),
      action("a.b", "replaced", "changed", "imported"),
    ],
    ["something on an address that was not evaluated", [[]], on("changed"), action("a.b", "changed")],
    ["what two evaluations did together", [on("added"), [other]], [other, ...on("added")], WITHIN],
    ["anything without an evaluation", [], on("added"), undecided("no_evaluation")],
    ["nothing without an evaluation", [], [], undecided("no_evaluation")],
  ])("an apply that does %s", (_, expected, found, result) => {
    const evaluated = expected.map((changes) => plan(changes));
    expect(verifyPlan(evaluated, plan(found))).toEqual(result);
  });

  it("lists a hundred differences and counts the others", () => {
    const changes = Array.from({ length: 130 }, (_, index): Change => [`a.b[${index}]`, "deleted"]);
    expect(verifyPlan([plan([])], plan(changes))).toMatchObject({
      differences: { length: 100 },
      more: 30,
    });
  });
});

describe("an apply of which a part is unknown", () => {
  const partly = (changes: readonly Change[], rest: Partial<WorkspacePlan> = {}) =>
    plan(changes, { isComplete: false, ...rest });
  it.each<[string, WorkspacePlan, WorkspacePlan, ApplyResult]>([
    ["an incomplete plan", plan([]), partly([]), undecided("incomplete_plan")],
    [
      "an incomplete plan that deletes what was not evaluated",
      plan([]),
      partly([["a.b", "deleted"]]),
      action("a.b", "deleted"),
    ],
    [
      "an incomplete evaluation that may have left out the change",
      partly([]),
      plan([["a.b", "deleted"]]),
      undecided("incomplete_evaluation"),
    ],
    [
      "an incomplete evaluation of a lower cost",
      partly([], { cost: cost("10") }),
      priced("11"),
      tooExpensive("10", "10", "11"),
    ],
  ])("%s", (_, expected, found, result) => {
    expect(verifyPlan([expected], found)).toEqual(result);
  });
});

const percent = (value: string): Tolerance => ({ kind: "percent", percent: decimal(value) });
const amount = (value: string, currency?: string): Tolerance => ({
  kind: "amount",
  amount: money(value, currency),
});

describe("the cost of an apply, compared with the evaluated cost", () => {
  const unknown = plan([], { cost: { state: "unknown" } });
  const hidden = plan([], { cost: { state: "hidden" } });
  it.each<[string, readonly WorkspacePlan[], readonly [WorkspacePlan, Tolerance | null], ApplyResult]>([
    ["as evaluated", [priced("100")], [priced("100"), null], COMPARED],
    ["above it by a cent", [priced("100")], [priced("100.01"), null], tooExpensive("100", "100", "100.01")],
    ["a smaller saving", [priced("-100")], [priced("-99"), null], tooExpensive("-100", "-100", "-99")],
    ["at the percentage above it", [priced("100")], [priced("105"), percent("5")], COMPARED],
    ["at the percentage above a saving", [priced("-100")], [priced("-95"), percent("5")], COMPARED],
    ["beyond 5%", [priced("100")], [priced("105.01"), percent("5")], tooExpensive("100", "105", "105.01")],
    ["at the amount above it", [priced("0")], [priced("50"), amount("50")], COMPARED],
    ["a foreign tolerance", [priced("0")], [priced("0"), amount("50", "EUR")], undecided("other_currency")],
    ["another currency", [priced("100", [], "EUR")], [priced("100"), null], undecided("other_currency")],
    ["the sum of two evaluations", [priced("100"), priced("-20")], [priced("80"), null], COMPARED],
    ["above a sum", [priced("100"), priced("-20")], [priced("81"), null], tooExpensive("80", "80", "81")],
    ["unknown", [priced("100")], [unknown, null], undecided("cost_unknown")],
    ["partly unknown", [priced("1"), unknown], [priced("1"), null], undecided("evaluated_cost_unknown")],
    ["never estimated before", [plan([])], [priced("1"), null], undecided("evaluated_cost_unknown")],
    ["not estimated now", [priced("100")], [plan([]), null], WITHIN],
    ["hidden", [hidden], [priced("900"), null], { kind: "within", cost: "hidden" }],
  ])("%s", (_, expected, [found, tolerance], result) => {
    expect(verifyPlan(expected, found, { tolerance })).toEqual(result);
  });

  it("counts an address in two evaluations once, with its largest change", () => {
    const before = priced("100", [["a.b", "added", "0", "100"]]);
    const after = priced("150", [
      ["a.b", "added", "0", "100"],
      ["c.d", "added", "0", "50"],
    ]);
    expect(verifyPlan([before, after], priced("150"))).toEqual(COMPARED);
    expect(verifyPlan([before, after], priced("151"))).toEqual(tooExpensive("150", "150", "151"));
    const saving = priced("-100", [["a.b", "deleted", "100", "0"]]);
    const again = priced(
      "-100",
      saving.changes.map(({ address, action }) => [address, action]),
    );
    expect(verifyPlan([saving, saving], again)).toEqual(COMPARED);
    expect(verifyPlan([saving, saving], { ...again, cost: cost("-99") })).toEqual(
      tooExpensive("-100", "-100", "-99"),
    );
  });

  it("does not expect a saving that is applied already, or that a later merge reverted", () => {
    const evaluated = priced("10", [
      ["a.b", "deleted", "50", "0"],
      ["c.d", "added", "0", "60"],
    ]);
    const rest: Change = ["c.d", "added", "0", "60"];
    expect(verifyPlan([evaluated], priced("60", [rest]))).toEqual(COMPARED);
    expect(verifyPlan([evaluated], priced("60.01", [rest]))).toEqual(tooExpensive("60", "60", "60.01"));
    const saving = priced("-50", [["a.b", "deleted", "50", "0"]]);
    expect(verifyPlan([saving, saving], priced("0"))).toEqual(COMPARED);
  });

  it.each<[string, ReturnType<typeof money>, ApplyResult]>([
    ["a higher approved amount counts", money("200"), COMPARED],
    ["the evaluated amount counts where less was approved", money("10"), tooExpensive("100", "100", "200")],
    ["an amount in another currency decides nothing", money("200", "EUR"), undecided("other_currency")],
  ])("%s", (_, approvedUpTo, result) => {
    expect(verifyPlan([priced("100")], priced("200"), { approvedUpTo })).toEqual(result);
  });
});

const ADDRESSES = ["a.one", "a.two", "b.one", 'module.m["x"].a.one'];
const ACTIONS = ["added", "changed", "deleted", "replaced", "imported", "removed"] as const;
const cents = fc.integer({ min: -100_000, max: 100_000 }).map((value) => String(value / 100));
const anyPlan = fc
  .tuple(
    cents,
    fc.uniqueArray(fc.tuple(fc.constantFrom(...ADDRESSES), fc.constantFrom(...ACTIONS), cents, cents), {
      selector: ([address]) => address,
    }),
  )
  .map(([change, changes]) => priced(change, changes));
const anyTolerance = fc.option(
  fc.oneof(
    fc.integer({ min: 0, max: 50 }).map((value) => percent(String(value))),
    fc.integer({ min: 0, max: 500 }).map((value) => amount(String(value))),
  ),
);
/** What an action may be raised to: everything but itself, and a change where a replacement was evaluated. */
const listRaised = (evaluated: PlannedAction) =>
  ACTIONS.filter((one) => one !== evaluated && !(one === "changed" && evaluated === "replaced"));

describe("any evaluated plan", () => {
  it("lets an equal plan pass, in whichever order, and each plan with a part of its changes", () => {
    fc.assert(
      fc.property(anyPlan, anyTolerance, fc.nat(4), (one, tolerance, length) => {
        const part = { ...one, changes: one.changes.toReversed().slice(0, length) };
        expect(verifyPlan([one], part, { tolerance })).toEqual(COMPARED);
      }),
    );
  });

  it("never lets a further change, another action or a cost beyond the tolerance pass", () => {
    fc.assert(
      fc.property(anyPlan, anyTolerance, fc.nat(), (one, tolerance, pick) => {
        const fresh = { address: "new.one", action: "added", before: null, after: null } as const;
        const added = { ...one, changes: one.changes.toSpliced(pick % 5, 0, fresh) };
        const raised = one.changes.flatMap((change, index) =>
          listRaised(change.action).map((found) => ({
            ...one,
            changes: one.changes.with(index, { ...change, action: found }),
          })),
        );
        const change = one.cost.state === "known" ? Number(one.cost.change) : 0;
        const share = tolerance?.kind === "percent" ? Number(tolerance.percent) / 100 : 0;
        const extra = tolerance?.kind === "amount" ? Number(tolerance.amount.amount) : 0;
        const over = change + Math.abs(change) * share + extra + 0.01;
        const expensive = { ...one, cost: cost(over.toFixed(4).replace(/\.?0+$/, "")) };
        for (const found of [added, ...raised, expensive])
          expect(verifyPlan([one], found, { tolerance })).toMatchObject({ kind: "exceeds" });
      }),
    );
  });
});
