import { describe, expect, it } from "vitest";
import { findDigestMs, findReportedWeek } from "../../src/policy/notifications/digest-time.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const iso = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString().slice(0, 16));

describe("the time of a digest", () => {
  // 2026-11-23 is a Monday.
  it.each([
    ["none", "2026-11-23T07:59", null],
    ["daily", "2026-11-23T07:59", "2026-11-23T08:00"],
    ["daily", "2026-11-23T08:00", "2026-11-24T08:00"],
    ["weekly", "2026-11-23T07:59", "2026-11-23T08:00"],
    ["weekly", "2026-11-23T08:00", "2026-11-30T08:00"],
    ["weekly", "2026-11-29T23:59", "2026-11-30T08:00"],
  ] as const)("%s after %s is %s", (digest, now, due) => {
    expect(iso(findDigestMs(digest, at(now)))).toBe(due);
  });

  it.each([
    ["2026-11-22T23:59", null],
    ["2026-11-23T00:00", "2026-11-16T00:00"],
    ["2026-11-24T07:59", "2026-11-16T00:00"],
    ["2026-11-24T08:00", null],
  ])("at %s the report on the week from %s is due", (now, from) => {
    const week = findReportedWeek(at(now));
    expect(iso(week?.fromMs)).toBe(from);
    if (week !== null)
      expect([iso(week.toMs), iso(week.sendMs)]).toEqual(["2026-11-23T00:00", "2026-11-23T08:00"]);
  });
});
