import { afterAll, describe, expect, it } from "vitest";
import { type Decimal, decimal } from "../../src/kernel/money.ts";
import { parseDivided, readBudgetUse } from "../../src/store/after-merge/budget-use.ts";
import { recordMerge } from "../../src/store/after-merge/merged-pulls.ts";
import { recordPlans } from "../../src/store/after-merge/workspace-costs.ts";
import { usualEngines } from "../world/engines.ts";
import { mergeOutcome } from "./merge-outcome.ts";

const PLACE = { org: "acme", project: "shop", workspace: "prod" };

describe.each(usualEngines())("what a workspace costs, on $name", async ({ open }) => {
  let repositoryId = 0;
  const store = await open();
  afterAll(() => store.close());

  const plan = (before: string, plannedMs: number) =>
    recordPlans(store.db, repositoryId, [{ ...PLACE, currency: "USD", before: decimal(before), plannedMs }]);
  const merge = (
    number: number,
    [before, after, change]: string[],
    [plannedMs = 0, mergedMs = 0]: number[],
  ) =>
    recordMerge(store.db, { repositoryId, number, mergedMs, compareMs: null, outcome: mergeOutcome() }, [
      {
        ...PLACE,
        stage: "prod",
        currency: "USD",
        before: decimal(before ?? ""),
        after: decimal(after ?? ""),
        change: decimal(change ?? ""),
        plannedMs,
      },
    ]);
  const amount = async () =>
    (await readBudgetUse(store.db, repositoryId, new Date(0))).workspaces.map((cost) => cost.amount);

  it("is known by tag: what the plan found, and after a merge with what was merged since the plan", async () => {
    repositoryId = 90;
    const part = (amount: string) => ({
      keys: ["team"],
      parts: [{ values: ["payments"], amount: decimal(amount) }],
    });
    const merged = (number: number, amounts: string[], [plannedMs = 0, mergedMs = 0]: number[]) => {
      const [before, after, change] = amounts.map((amount) => decimal(amount)) as [Decimal, Decimal, Decimal];
      const divided = { change: part(change), after: part(after) };
      const stage = { ...PLACE, stage: "prod", currency: "USD", before, after, change, divided, plannedMs };
      return recordMerge(
        store.db,
        { repositoryId, number, mergedMs, compareMs: null, outcome: mergeOutcome() },
        [stage],
      );
    };
    const read = async () =>
      (await readBudgetUse(store.db, repositoryId, new Date(0))).workspaces.map(({ divided }) =>
        parseDivided(divided ?? null),
      );
    const planned = (plannedMs: number) => ({ ...PLACE, currency: "USD", before: decimal("100"), plannedMs });
    expect(await recordPlans(store.db, repositoryId, [planned(1_000)])).toBe(true);
    expect(await read()).toEqual([null]);
    expect(await recordPlans(store.db, repositoryId, [{ ...planned(2_000), divided: part("100") }])).toBe(
      true,
    );
    expect(await read()).toEqual([part("100")]);
    await merged(1, ["100", "150", "50"], [3_000, 5_000]);
    await merged(2, ["100", "120", "20"], [4_000, 6_000]);
    expect(await read()).toEqual([part("170")]);
  });

  it("is what the newest plan found, whichever is reported first", async () => {
    repositoryId = 1;
    expect(await plan("100", 2_000)).toBe(true);
    expect(await plan("90", 1_000)).toBe(false);
    expect(await plan("100", 3_000)).toBe(false);
    expect(await amount()).toEqual(["100"]);
    expect(await plan("120", 4_000)).toBe(true);
    expect(await amount()).toEqual(["120"]);
  });

  it("is what a merged pull request leaves, also while a later plan still finds what there was before", async () => {
    repositoryId = 2;
    await plan("100", 1_000);
    expect(await merge(1, ["100", "150", "50"], [1_000, 2_000])).toBe(true);
    expect(await merge(1, ["100", "150", "50"], [1_000, 2_000])).toBe(false);
    expect(await amount()).toEqual(["150"]);
    await plan("100", 3_000);
    expect(await amount()).toEqual(["150"]);
    await plan("149.5", 4_000);
    expect(await amount()).toEqual(["149.5"]);
  });

  it("includes what was merged between a plan and its own merge", async () => {
    repositoryId = 3;
    await merge(1, ["100", "150", "50"], [1_000, 3_000]);
    await merge(2, ["100", "130", "30"], [2_000, 4_000]);
    expect(await amount()).toEqual(["180"]);
  });
});
