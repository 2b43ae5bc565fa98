import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/policy/model/finding.ts";
import type { Waiver } from "../../src/policy/model/policy.ts";
import { countDaysUntilEnd, findNextWaiverChange } from "../../src/policy/waiver-end.ts";

const DAY = 86_400_000;
const END = 100 * DAY;
const waiver = (rule: string, untilMs = END): Waiver => ({
  rule,
  untilMs,
  scope: null,
  upTo: null,
  reason: "load test",
  owner: "finops",
});
const finding = (rule: string, covered: boolean) =>
  ({ rule, waiver: covered ? waiver(rule) : null }) as Finding; // nothing else of it is looked at

describe("a waiver's end", () => {
  it.each([
    ["not soon", END - 15 * DAY, null],
    ["in 14 days", END - 14 * DAY, 14],
    ["in 1 day, on its last one", END - 1, 1],
    ["over", END, 0],
  ])("is %s", (_, nowMs, days) => {
    expect(countDaysUntilEnd(END, nowMs)).toBe(days);
  });

  it.each([
    ["when the reminding begins", END - 40 * DAY, END - 14 * DAY],
    ["a day later, while it is reminded of", END - 14 * DAY, END - 13 * DAY],
    ["at its end, on the last day", END - 1, END],
  ])("is checked %s", (_, nowMs, at) => {
    expect(findNextWaiverChange([finding("r", true)], [waiver("r")], nowMs)).toBe(at);
  });

  it("is not checked for a verdict that does not depend on one", () => {
    const waivers = [waiver("r"), waiver("other")];
    expect(findNextWaiverChange([finding("r", false)], waivers, 0)).toBeNull();
    expect(findNextWaiverChange([finding("r", true)], [waiver("r", 5)], 5)).toBeNull();
  });

  it("is the first one's, where several may carry the rule", () => {
    const waivers = [waiver("r", 90 * DAY), waiver("r", 80 * DAY)];
    expect(findNextWaiverChange([finding("r", true)], waivers, 79.5 * DAY)).toBe(80 * DAY);
  });
});
