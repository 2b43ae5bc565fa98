import { describe, expect, test } from "vitest";
import { findPeriod, type PeriodUnit, startAt, toMonthParts } from "../../src/kernel/fiscal-periods.ts";
import { toIsoDay } from "../../src/kernel/instant.ts";
import type { BudgetUse } from "../../src/policy/model/context.ts";
import { cost, counts, known, stage } from "../report/facts.ts";
import { at, describeFindings, HIDDEN, use, verdict } from "./evaluate-facts.ts";
import { policy, problems } from "./policies.ts";

const priced = (workspace: string, change: string, currency?: string) =>
  stage({
    workspace,
    cost: known(cost(change, currency === undefined ? {} : { currency })),
    counts: known(counts()),
  });
const OWN = priced("prod-a", "100 > 200"); // +100 per month
const ms = (text: string) => Date.parse(`${text}Z`);
const NOW_MS = ms("2026-11-16T12:00"); // half of November is left

/** A change that was merged on a day, as the period counts it. */
const merged = (unit: PeriodUnit, day: string, workspace: string, amount: string) => {
  const period = findPeriod(unit, toIsoDay(NOW_MS), "02-01");
  const one = at(workspace, amount);
  return { ...one, amount: toMonthParts(one.amount, startAt(period, day)) };
};
const period = (unit: PeriodUnit, but: Partial<NonNullable<BudgetUse["periods"]>[number]> = {}) => {
  return { unit, ...findPeriod(unit, toIsoDay(NOW_MS), "02-01"), merged: [], unknown: [], ...but };
};
const budget = (members: string) => policy(`budgets: [{ id: b, ${members} }]`);
const of = (members: string, budgetUse: BudgetUse | null, stages = [OWN], nowMs = NOW_MS) =>
  describeFindings(budget(members), { stages, pull: { nowMs, budgetUse } });

describe("a budget for a period", () => {
  test.each<[PeriodUnit, string]>([
    ["month", "50"], // 15 of 30 days
    ["quarter", "250"], // to 31 January
    ["year", "250"],
  ])("of a %s counts the pull request's own change from today to the end: %s", (unit, expected) => {
    expect(of(`amount: 250 USD, period: ${unit}`, use({ periods: [period(unit)] }))).toEqual([
      `passed ${expected} USD`,
    ]);
  });

  test("counts what was merged in it, and increases of open pull requests, but neither what workspaces cost nor merges twice", () => {
    const budgetUse = use({
      workspaces: [at("prod-b", "99999 USD")],
      pulls: [
        { ...at("prod-b", "40 USD"), number: 7 },
        { ...at("prod-b", "-500 USD"), number: 8 },
        { ...at("prod-a", "300 USD"), number: 9, isMerged: true },
      ],
      periods: [
        period("quarter", {
          merged: [
            merged("quarter", "2026-11-01", "prod-a", "300 USD"),
            merged("quarter", "2026-12-01", "prod-b", "-20 USD"),
          ],
        }),
      ],
    });
    // 300 × 3 − 20 × 2 + (100 + 40) × 2.5
    expect(of("amount: 1210 USD, period: quarter", budgetUse)).toEqual(["passed 1210 USD"]);
    expect(of("amount: 1209.99 USD, period: quarter", budgetUse)).toEqual(["violated 1210 USD"]);
    const saving = [priced("prod-a", "200 > 100")];
    expect(of("amount: 1 USD, period: quarter", budgetUse, saving)).toEqual(["violated 710 USD (warn)"]);
  });

  test("depends on the day: what is too much at its start fits at its end", () => {
    const budgetUse = use({ periods: [period("quarter")] });
    const on = (day: string) => of("amount: 100 USD, period: quarter", budgetUse, [OWN], ms(day));
    expect(on("2026-11-01T00:00")).toEqual(["violated 300 USD"]);
    expect(on("2027-01-01T00:00")).toEqual(["passed 100 USD"]);
    expect(on("2027-01-31T23:59:59.999")).toEqual(["passed 3.2258064516 USD"]);
    expect(on("2027-02-01T00:00")).toEqual(["undecided not_read"]);
  });

  test.each<[string, BudgetUse | null, string]>([
    ["nobody could read", null, "undecided not_read"],
    ["is for another period", use({ periods: [period("year")] }), "undecided not_read"],
    [
      "is unknown",
      use({ periods: [period("quarter", { unknown: [at("x", "1 USD")] })] }),
      "undecided not_estimated",
    ],
    [
      "is in another currency",
      use({ periods: [period("quarter", { merged: [merged("quarter", "2026-11-02", "x", "1 EUR")] })] }),
      "undecided EUR for USD",
    ],
    [
      "is zero in another currency",
      use({ periods: [period("quarter", { merged: [merged("quarter", "2026-11-02", "x", "0 EUR")] })] }),
      "passed 250 USD",
    ],
    [
      "costs an unknown amount per month",
      use({ unknown: [at("x", "1 USD")], periods: [period("quarter")] }),
      "passed 250 USD",
    ],
  ])("beside what %s is %s", (_, budgetUse, expected) => {
    expect(of("amount: 250 USD, period: quarter", budgetUse)).toEqual([expected]);
  });

  test("is undecided where the own change is unknown, hidden or in another currency, also if the cost afterwards is known", () => {
    const budgetUse = use({ periods: [period("month")] });
    const stages = (one: ReturnType<typeof stage>) => of("amount: 999 USD, period: month", budgetUse, [one]);
    expect(stages(priced("prod-a", "? > 200"))).toEqual([expect.stringMatching(/^undecided/)]);
    expect(stages(priced("prod-a", "1 > 2", "EUR"))).toEqual(["undecided EUR for USD"]);
    expect(stages(priced("prod-a", "2 > 2", "EUR"))).toEqual(["passed 0 USD"]);
    const hidden = { stages: [OWN], refused: [HIDDEN], pull: { nowMs: NOW_MS, budgetUse } };
    expect(describeFindings(budget("amount: 999 USD, period: month"), hidden)).toEqual([
      "undecided not_granted",
    ]);
  });

  test("keeps to its scope, by workspace and by tag", () => {
    const divided = { keys: ["team"], parts: [{ values: ["red"], amount: at("x", "755160 USD").amount }] };
    const there = { ...at("prod-b", "3775800 USD"), divided }; // 10 USD, of which 2 are red
    const budgetUse = use({ periods: [period("month", { merged: [there, at("dev", "9999999 USD")] })] });
    const stages = [OWN, priced("dev", "0 > 1000")];
    expect(of('amount: 60 USD, period: month, scope: { workspaces: ["prod-*"] }', budgetUse, stages)).toEqual(
      ["passed 60 USD"],
    );
    const tagged = of(
      'amount: 60 USD, period: month, scope: { tags: { team: red }, workspaces: ["prod-*"] }',
      budgetUse,
    );
    expect(tagged).toEqual([expect.stringMatching(/^undecided/)]); // the own resources are not listed
    const { findings } = verdict(budget("amount: 9 USD, period: month, scope: { workspaces: [no] }"), {
      stages,
      pull: { nowMs: NOW_MS, budgetUse },
    });
    expect(findings[0]?.outcome).toBe("not_applicable");
  });

  test.each([
    ["period: weekly", '37 budgets[0].period: found "weekly", expected month, quarter or year'],
    ["period: [quarter]", "37 budgets[0].period: found a list, expected month, quarter or year"],
    ["periods: year", "29 budgets[0].periods: is not a key here; did you mean period?"],
  ])("names its period: %s is an error at its place", (member, message) => {
    expect(problems(`version: 1\nbudgets:\n  - { id: b, amount: 9 USD, ${member} }`)).toBe(
      `repo.yml:3:${message}`,
    );
  });
});
