import { describe, expect, it } from "vitest";
import { buildBudgetUse } from "../../src/evaluate/budgets.ts";
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
    expect(use.pulls.map(({ number, amount }) => [number, amount])).toEqual([[2, "30"]]);
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
