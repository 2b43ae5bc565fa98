import { describe, expect, it } from "vitest";
import { instant, parseInstant } from "../../src/kernel/instant.ts";

const at = (text: string): number | string => {
  const read = instant.safeParse(text);
  return read.success ? parseInstant(text) : (read.error.issues[0]?.message ?? "");
};

describe("an instant in ISO 8601", () => {
  it.each([
    ["2026-01-31T09:05:07Z", Date.UTC(2026, 0, 31, 9, 5, 7)],
    ["2026-01-31T09:05:07.25Z", Date.UTC(2026, 0, 31, 9, 5, 7, 250)],
    ["2026-01-31T09:05:07+01:00", Date.UTC(2026, 0, 31, 8, 5, 7)],
    ["2026-01-31T09:05Z", Date.UTC(2026, 0, 31, 9, 5)],
    ["2026-01-31T09:05-03:30", Date.UTC(2026, 0, 31, 12, 35)],
    ["2026-01-31T09:05", Date.UTC(2026, 0, 31, 9, 5)],
    ["2026-01-31T09:05:07", Date.UTC(2026, 0, 31, 9, 5, 7)],
    ["2026-01-31", Date.UTC(2026, 0, 31)],
    ["1970-01-01T01:00+01:00", 0],
    ["9999-12-31T23:59:59.999Z", Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ])("is %s, in UTC without an offset", (text, ms) => {
    expect(at(text)).toBe(ms);
  });

  it.each([
    "",
    "now",
    "2026",
    "2026-01",
    "2026-02-29",
    "2026-01-31T25:00Z",
    "2026-01-31T09:05:07 01:00",
    "1767225600000",
  ])("is not %j", (text) => {
    expect(at(text)).toMatch(/^expected a time such as 2026-01-31T00:00:00Z/);
  });

  it.each(["1969-12-31T23:59:59Z", "1970-01-01T00:30+01:00", `2026-01-31T09:05:07.${"1".repeat(60)}Z`])(
    "is out of range as %s",
    (text) => {
      expect(at(text)).toBe("expected a time from 1970 to 9999, of at most 64 characters");
    },
  );

  it("that is missing is called so", () => {
    expect(instant.safeParse(undefined).error?.issues[0]?.message).toMatch(/^is missing; expected a time/);
  });
});
