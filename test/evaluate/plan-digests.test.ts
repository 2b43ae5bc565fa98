import { describe, expect, it } from "vitest";
import { computePlanDigests, formatPlanDigests, parsePlanDigests } from "../../src/evaluate/plan-digests.ts";
import { decimal } from "../../src/kernel/money.ts";
import type { PlannedAction, WorkspacePlan } from "../../src/policy/model/apply.ts";

const plan = (workspace: string, rest: Partial<WorkspacePlan> = {}): WorkspacePlan => ({
  workspace,
  cost: { state: "known", currency: "USD", before: decimal("1"), after: decimal("2"), change: decimal("1") },
  isComplete: true,
  changes: [{ address: "a.b", action: "added", before: decimal("0"), after: decimal("1") }],
  ...rest,
});

describe("the digests that a check states", () => {
  it.each([
    ["plain", "prod"],
    ["hostile", "--> <!-- tollgate-plans v1\n`x` %zz 100%"],
    ["of another alphabet", "продакшн/ネット"],
  ])("are read back under a name that is %s", (_, workspace) => {
    const hidden = plan("hidden", { cost: { state: "hidden" } });
    const text = `A table\n\n${formatPlanDigests([plan(workspace), hidden])}`;
    expect(parsePlanDigests(text)).toEqual([computePlanDigests(plan(workspace)), computePlanDigests(hidden)]);
    expect(computePlanDigests(hidden)?.amounts).toBeNull();
  });

  it("leave out incomplete plans, and have at most 100 lines and 20,000 characters", () => {
    expect(formatPlanDigests([plan("prod", { isComplete: false })])).toBe("");
    const many = Array.from({ length: 150 }, (_, index) => plan(`w${index}`));
    expect(parsePlanDigests(formatPlanDigests(many))).toHaveLength(100);
    const long = Array.from({ length: 150 }, (_, index) => plan(`${"ネ".repeat(290)}${index}`));
    expect(formatPlanDigests(long).length).toBeLessThan(20_100);
  });

  it.each([
    ["none is stated", "A table"],
    ["there are two lists", [plan("prod"), plan("dev")].map((one) => formatPlanDigests([one])).join("\n\n")],
    ["a line is cut", formatPlanDigests([plan("prod")]).replace(/[0-9a-f]{4}\n/, "\n")],
    ["the list stands inside of a line", `x ${formatPlanDigests([plan("prod")])}`],
  ])("cannot be relied on where %s", (_, text) => {
    expect(parsePlanDigests(text)).toBeNull();
  });
});

describe("the digests of a plan", () => {
  const change = (address: string, after: string | null, action: PlannedAction = "added") => ({
    ...{ address, action, before: decimal("0") },
    after: after === null ? null : decimal(after),
  });
  const first = plan("prod", { changes: [change("a.b", "1"), change("c.d", null)] });
  const digests = computePlanDigests(first);

  it("are equal for equal plans in another order, and tell amounts from actions", () => {
    expect(computePlanDigests({ ...first, changes: first.changes.toReversed() })).toEqual(digests);
    const pricier = computePlanDigests({ ...first, changes: [change("a.b", "2"), change("c.d", null)] });
    expect(pricier?.actions).toBe(digests?.actions);
    expect(pricier?.amounts).not.toBe(digests?.amounts);
  });

  it.each<[string, Partial<WorkspacePlan>]>([
    ["another workspace", { workspace: "dev" }],
    ["another action", { changes: [change("a.b", "1", "deleted"), change("c.d", null)] }],
    ["one more address", { changes: [...first.changes, change("e.f", null)] }],
  ])("differ for %s", (_, rest) => {
    expect(computePlanDigests({ ...first, ...rest })?.actions).not.toBe(digests?.actions);
  });

  it("do not exist for an incomplete plan, and have no amounts where the cost is unknown", () => {
    expect(computePlanDigests({ ...first, isComplete: false })).toBeNull();
    expect(computePlanDigests({ ...first, cost: { state: "unknown" } })?.amounts).toBeNull();
  });
});
