import { describe, expect, test } from "vitest";
import { listBudgetNotices } from "../../src/policy/notifications/pull-notices.ts";
import { evaluatedSituation, evaluation, finding, money } from "../render/evaluation-builder.ts";

const NOW_MS = Date.parse("2026-11-16T12:00Z");
const period = (from: string, to: string) =>
  ({ unit: "quarter", from, to, merged: [], unknown: [] }) as const;

/** The notices of a pull request under one budget of 100 that measured an amount. */
function notices(amount: string | null, current: ReturnType<typeof period> | null, nowMs = NOW_MS) {
  const limit = { kind: "budget", amount: money("100"), ...(current && { period: current.unit }) } as const;
  const measured = amount === null ? null : ({ kind: "money", ...money(amount) } as const);
  const made = evaluation({ situation: evaluatedSituation("warn", [finding("room", { limit, measured })]) });
  const budgetUse = { workspaces: [], pulls: [], unknown: [], ...(current && { periods: [current] }) };
  return listBudgetNotices({ ...made, context: { ...made.context, budgetUse } }, nowMs);
}

describe("a budget for a period is notified of", () => {
  const FIRST = period("2026-11-01", "2027-01-31");

  test.each([
    ["79.99", []],
    ["80", [80]],
    ["99.99", [80]],
    ["100", [100]],
    [null, []],
  ])("%s of 100 at %j percent, with the last day", (amount, reached) => {
    const changes = notices(amount, FIRST).map(({ change }) => change?.notification);
    expect(changes).toMatchObject(reached.map((percent) => ({ reached: percent, lastDay: "2027-01-31" })));
  });

  test("once in each period, however many months it has, and apart from the budget of each month", () => {
    const key = (...given: Parameters<typeof notices>) => notices(...given)[0]?.change?.key;
    const december = NOW_MS + 30 * 86_400_000;
    expect(key("80", FIRST, december)).toBe(key("90", FIRST));
    expect(key("80", period("2027-02-01", "2027-04-30"))).not.toBe(key("80", FIRST));
    expect(key("80", null, december)).not.toBe(key("80", null));
    expect(
      new Set([
        key("80", null),
        key("80", FIRST),
        key("80", { ...FIRST, unit: "quarter", from: "2026-10-01" }),
      ]).size,
    ).toBe(3);
    expect(notices("80", null)[0]?.change?.notification).not.toHaveProperty("lastDay");
  });
});
