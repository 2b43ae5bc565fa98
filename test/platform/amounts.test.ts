import { describe, expect, test } from "vitest";
import { money, moneyToWrite, percent, percentToWrite } from "../../src/platform/contract/cost-changes.ts";

describe("money and percentages as read", () => {
  test.each<[unknown, string | null]>([
    ["120.00", "120"],
    ["-30.10", "-30.1"],
    ["0.00", "0"],
    ["-0.00", "0"],
    ["12", "12"],
    [" 12.5 ", "12.5"],
    ["0.0000001", "0.0000001"],
    ["12345678901234567890.123456789", "12345678901234567890.123456789"],
    ["", null],
    [null, null],
    [undefined, null],
    ["N/A", null],
    ["1,234.00", null],
    ["NaN", null],
    ["Infinity", null],
    ["٣", null],
  ])("money %j is %j", (written, value) => expect(money.parse(written)).toBe(value));

  test.each([12, true, {}, []])("money %j is not money", (written) => {
    expect(money.safeParse(written).success).toBe(false);
  });

  test.each<[unknown, string | null]>([
    [94, "94"],
    [-43.01, "-43.01"],
    [0, "0"],
    [-0, "0"],
    ["12.5", "12.5"],
    ["", null],
    [null, null],
    [undefined, null],
    [3581947795968102000, "3581947795968102000"],
    [1e-7, "0.0000001"],
    [1e21, "1000000000000000000000"],
    [1e300, null],
    ["1e3", null],
  ])("percent %j is %j", (written, value) => expect(percent.parse(written)).toBe(value));
});

describe("money and percentages as written", () => {
  test.each(["120.00", "-0.5", "0", "", null])("money %j stays as it is", (text) => {
    expect(moneyToWrite.parse(text)).toBe(text);
  });
  test.each(["1e3", "1,0", "abc", " 1", 12, undefined])("money %j is refused", (text) => {
    expect(moneyToWrite.safeParse(text).success).toBe(false);
  });
  test.each([94, -43.01, null, undefined])("percent %j stays as it is", (value) => {
    expect(percentToWrite.parse(value)).toBe(value);
  });
  test("percent as text becomes the number that the document has", () => {
    expect(percentToWrite.parse("12.50")).toBe(12.5);
  });
  test.each(["", "abc", true])("percent %j is refused", (value) => {
    expect(percentToWrite.safeParse(value).success).toBe(false);
  });
});
