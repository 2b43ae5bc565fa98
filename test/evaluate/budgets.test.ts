import { describe, expect, it } from "vitest";
import { buildBudgetUse, buildPeriodUse } from "../../src/evaluate/budgets.ts";
import { findPeriod, fromMonthParts } from "../../src/kernel/fiscal-periods.ts";
import { compare, type Decimal } from "../../src/kernel/money.ts";
import type { StoredBudgetUse } from "../../src/store/after-merge/budget-use.ts";

const PLACE = { org: "acme", project: "shop" };
const cost = (workspace: string, amount: string | null) => ({
  ...PLACE,
  workspace,
  currency: amount === null ? null : "USD",
  amount,
});
const NOTHING: StoredBudgetUse = { version: 1, workspaces: [], claims: [], merged: [] };
const own = { number: 1, plannedMs: new Map([["acme/shop/prod", 1_000]]) };

describe("the budget use beside a pull request's own stages", () => {
  it("includes every workspace that the pull request does not touch and every change of other open pull requests", () => {
    const kept = {
      ...NOTHING,
      workspaces: [cost("prod", "100"), cost("dev", "10")],
      claims: [
        { ...cost("prod", "5"), number: 1 },
        { ...cost("prod", "7"), number: 2 },
      ],
    };
    expect(buildBudgetUse(kept, own)).toEqual({
      workspaces: [cost("dev", "10")],
      pulls: [{ ...cost("prod", "7"), number: 2 }],
      unknown: [],
    });
  });

  it("includes merges into a touched workspace after its plan was made, and not the plan itself", () => {
    const merged = [
      { ...cost("prod", "30"), number: 2, mergedMs: 2_000 },
      { ...cost("prod", "40"), number: 3, mergedMs: 500 },
      { ...cost("dev", "50"), number: 4, mergedMs: 2_000 },
    ];
    const use = buildBudgetUse({ ...NOTHING, merged }, own);
    expect(use.pulls.map(({ number, amount, isMerged }) => [number, amount, isMerged])).toEqual([
      [2, "30", true],
    ]);
  });

  it("is unknown if one of the costs is unknown", () => {
    const kept = {
      ...NOTHING,
      workspaces: [cost("prod", null), cost("dev", null)],
      claims: [{ ...cost("test", null), number: 2 }],
    };
    expect(buildBudgetUse(kept, own).unknown.map(({ workspace }) => workspace)).toEqual(["dev", "test"]);
  });
});

describe("what counts in a period", () => {
  const PERIOD = { unit: "quarter", ...findPeriod("quarter", "2026-11-16", "02-01") } as const;
  const at = (workspace: string, amount: string | null, when: string, divided: string | null = null) => {
    return { ...cost(workspace, amount), number: 2, mergedMs: Date.parse(`${when}Z`), divided };
  };
  const use = (merged: StoredBudgetUse["merged"], claims: StoredBudgetUse["claims"] = []) =>
    buildPeriodUse({ ...NOTHING, merged, claims }, PERIOD, 1);
  const amounts = (merged: StoredBudgetUse["merged"]) =>
    use(merged).merged.map(
      ({ workspace, currency, amount }) => `${workspace} ${fromMonthParts(amount)} ${currency}`,
    );

  it.each([
    ["in the last second before it", "2026-10-31T23:59:59.999", []],
    ["in its first second", "2026-11-01T00:00:00", ["prod 93 USD"]],
    ["on its second day", "2026-11-02T12:00:00", ["prod 91.9666666667 USD"]],
    ["in its last second", "2027-01-31T23:59:59.999", ["prod 1 USD"]],
    ["in the first second after it", "2027-02-01T00:00:00", []],
  ])("is a change of 31 per month that was merged %s, from its merge on", (_, when, expected) => {
    expect(amounts([at("prod", "31", when)])).toEqual(expected);
  });

  it("is added per workspace and currency, decreases and reverts too, and what is not known is named", () => {
    const merged = [
      at("prod", "30", "2026-11-01T00:00:00"),
      at("prod", "-30", "2026-12-01T00:00:00"),
      { ...at("prod", "10", "2027-01-01T00:00:00"), currency: "EUR" },
      at("dev", "1", "2027-01-01T00:00:00"),
      at("test", null, "2027-01-01T00:00:00"),
      at("old", null, "2026-10-01T00:00:00"),
    ];
    expect(amounts(merged)).toEqual(["prod 30 USD", "prod 10 EUR", "dev 1 USD"]);
    const claims = [1, 3].map((number) => ({ ...cost(`open-${number}`, null), number }));
    expect(use(merged, claims).unknown.map(({ workspace }) => workspace)).toEqual(["test", "open-3"]);
  });

  it("is divided by tags only where all of it is", () => {
    const divided = (red: string, rest: string) =>
      JSON.stringify({
        keys: ["team"],
        parts: [
          { values: ["red"], amount: red },
          { values: [null], amount: rest },
        ],
      });
    const one = at("prod", "3", "2027-01-01T00:00:00", divided("1", "2"));
    const parts = (merged: StoredBudgetUse["merged"]) =>
      use(merged).merged[0]?.divided?.parts.map(({ values, amount }) => [values[0], fromMonthParts(amount)]);
    expect(parts([one, at("prod", "31", "2027-01-31T00:00:00", divided("31", "0"))])).toEqual([
      ["red", "2"],
      [null, "2"],
    ]);
    expect(parts([one, at("prod", "1", "2027-01-31T00:00:00")])).toBeUndefined();
  });

  it("is never less for an earlier increase", () => {
    const days = Array.from({ length: 92 }, (_, day) =>
      new Date(Date.UTC(2026, 10, 1 + day)).toISOString().slice(0, -1),
    );
    const all = days.map((day) => use([at("prod", "7.77", day)]).merged[0]?.amount ?? ("0" as Decimal));
    expect(all.slice(1).every((amount, index) => compare(amount, all[index] ?? amount) === -1)).toBe(true);
  });
});
