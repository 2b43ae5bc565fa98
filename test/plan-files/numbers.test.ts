import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readEstimate } from "../../src/plan-files/estimate/read-estimate.ts";
import { parseExactly, readDecimal } from "../../src/plan-files/text/json-document.ts";
import { inPieces, utf8 } from "./bytes.ts";
import { estimate, project } from "./estimate-builder.ts";

describe("a decimal that is not written plainly", () => {
  test.each([
    ["1e-7", "0.0000001"],
    ["1.5E+2", "150"],
    ["-1.499999999e2", "-149.9999999"],
    ["+2.50", "2.5"],
    ["12e0", "12"],
    ["0e5", "0"],
    ["-0.00e-3", "0"],
    ["007.5", "7.5"],
    ["5.", "5"],
    ["1e999", null],
    ["1e-999", null],
    ["1,000", null],
    ["NaN", null],
    ["", null],
    [".5", null],
    ["0x10", null],
  ])("%j is %j", (text, value) => expect(readDecimal(text)).toBe(value));

  test("is the same amount as the number that JavaScript reads", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -20, max: 20 }), (digits, exponent) => {
        expect(Number(readDecimal(`${digits}e${exponent}`))).toBe(Number(`${digits}e${exponent}`));
      }),
    );
  });
});

describe("numbers in JSON", () => {
  test("become their text where a double is not what is written, and stay numbers elsewhere", () => {
    expect(parseExactly('{"a":12345678901234567890.12,"b":1.50,"c":1e2,"d":"1e2"}')).toEqual({
      a: "12345678901234567890.12",
      b: 1.5,
      c: 100,
      d: "1e2",
    });
    expect(parseExactly("12345678901234567891.37")).toBe("12345678901234567891.37");
  });

  test("an estimate that states amounts as long numbers loses no digit", async () => {
    const [before, after, change] = ["12345678901234567890.12", "12345678901234567891.37", "1.25"];
    const text = JSON.stringify(estimate([project("a", ["@0", "@1", "@2"])], ["@0", "@1", "@2"]));
    const written = text.replaceAll('"@0"', before).replaceAll('"@1"', after).replaceAll('"@2"', change);
    const { whole } = await readEstimate({ file: "f", bytes: inPieces(utf8(written)), fallback: "f" });
    const { past_total_monthly_cost, total_monthly_cost, diff_total_monthly_cost } = whole.cost;
    expect([past_total_monthly_cost, total_monthly_cost, diff_total_monthly_cost]).toEqual([
      before,
      after,
      change,
    ]);
  });
});
